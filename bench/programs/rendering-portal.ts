import { createInterface } from 'node:readline';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { mkdir } from 'node:fs/promises';
import { type Call, type CallInput, calls, publisherScopes, requestOf } from '@pergamin/contract';
import { demoDocuments, demoStatutes } from '@pergamin/tools/demo';
import * as z from 'zod/mini';
import { openPortal } from '../../server/src/app/portal.ts';
import { systemClock } from '../../server/src/platform/clock/clock.ts';
import { createLog } from '../../server/src/platform/log/log.ts';
import { createMetrics } from '../../server/src/platform/metrics/metrics.ts';
import { readSettings } from '../../server/src/platform/settings/settings.ts';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { signInThroughIdentity } from '../../server/src/testing/sign-in-as.ts';
import { readOrder, say } from '../program.ts';
import { asker } from '../received-list.data.ts';

/*
 * The product with one client who has as many twenty-page statements as ordered, each of other bytes. Hears `draw N` (asks for the pages of the
 * next N of them), `rest` (answers when nothing is drawn any more) and `figures` (main thread and event loop since the last time).
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    documents: z.int(),
  })
  .parse(readOrder());
const today = new Date('2026-11-20T12:00:00Z');

await mkdir(order.dataDir, { recursive: true });
const settings = readSettings({ DATA_DIR: order.dataDir, DEMO: 'off' });
const portal = await openPortal({
  settings,
  log: createLog(settings.logLevel),
  clock: systemClock,
  address: { connection: order.connection },
  metrics: createMetrics(),
});
const { server, pool } = portal;
const { host } = settings.publicUrl;
const key = await portal.keys.issue({ name: 'bench', scopes: publisherScopes });

const publish = async <C extends Call>(call: C, input: CallInput<C>): Promise<unknown> => {
  const { path, init } = requestOf(call, input);
  const request = new Request(new URL(path, settings.publicUrl), init);
  const answer = await server.inject({
    method: call.method,
    url: path,
    headers: { host, authorization: `Bearer ${key}`, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  if (answer.statusCode >= 300) throw new Error(`${call.name} was answered ${answer.statusCode}: ${answer.body}`);
  return answer.json();
};
const formOf = (description: object, pdf: Uint8Array): FormData => {
  const form = new FormData();
  form.set('description', JSON.stringify(description));
  form.set('file', new Blob([Uint8Array.from(pdf)], { type: 'application/pdf' }), 'document.pdf');
  return form;
};

const { personalId, cif, password } = asker;
await publish(calls.upsertClients, {
  body: { items: [{ personalId, cif, firstName: 'Anna', lastName: 'Nowak', initialPassword: password }] },
});
const [statute] = demoStatutes({ seed: 1, today });
const statement = [...demoDocuments({ seed: 20_261_120, today })].find(({ uniqueName }) => /^DEMO-10000001-ANNUAL-\d+$/.test(uniqueName));
if (statute === undefined || statement === undefined) throw new Error('the demonstration has no statute, or no annual statement');
await publish(calls.publishStatute, { form: formOf({ version: '1' }, await statute.pdf()) });
await pool.query(
  'insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at) select $1, id, version, sha256, effective_from from statute on conflict do nothing',
  [personalId],
);
const pdf = await statement.pdf();
const published = z.object({ id: z.string() });
const ids: string[] = [];
for (let number = 0; number < order.documents; number += 1) {
  // A comment behind the end: other bytes, the same pages.
  const bytes = Buffer.concat([pdf, Buffer.from(`% ${number}\n`)]);
  const description = { type: 'PRIVATE', cif, fileName: `Zestawienie ${number}.pdf`, metadata: {} };
  ids.push(published.parse(await publish(calls.publishDocument, { form: formOf(description, bytes) })).id);
}
const { token, cookie } = await signInThroughIdentity(server, { personalId, password, host });
const headers = { host, authorization: token, cookie };

const rest = async (): Promise<void> => {
  for (;;) {
    const { rowCount } = await pool.query("select from graphile_worker.jobs where task_identifier like 'render%' limit 1");
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
const draw = async (count: number): Promise<void> => {
  for (const id of ids.splice(0, count)) {
    const { path } = requestOf(calls.getRenderResult, { params: { id }, query: { width: '1240' } });
    // Answered when the first page is there; the rest is drawn behind it.
    void server.inject({ method: 'GET', url: path, headers }).then(({ statusCode, body }) => {
      if (statusCode !== 200) process.stderr.write(`${path} was answered ${statusCode}: ${body}\n`);
    });
  }
};

await server.listen({ host: '127.0.0.1', port: 0 });
await rest();
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
let before = process.threadCpuUsage();
const figures = (): { mainThreadMs: number; delayP99Ms: number } => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  const delayP99Ms = delay.percentile(99) / 1e6;
  delay.reset();
  return { mainThreadMs: (user + system) / 1_000, delayP99Ms };
};
say({ port: portOf(server.server), headers });

for await (const line of createInterface({ input: process.stdin })) {
  const [word, count] = line.split(' ');
  if (word === 'draw') await draw(Number(count));
  if (word === 'rest') await rest();
  say(figures());
}
await portal.close();

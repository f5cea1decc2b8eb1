import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { calls, requestOf } from '@pergamin/contract';
import { demoDocuments } from '@pergamin/tools/demo';
import * as z from 'zod/mini';
import { renditionFormat } from '../../server/src/platform/renditions/renditions.ts';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { readOrder, say } from '../program.ts';
import { asker } from '../received-list.data.ts';
import { formOf, openBenchPortal } from './opened-portal.ts';

/*
 * The product with one client who has as many twenty-page statements as ordered, each of other bytes, and another one with as many letters of
 * one page. Hears `draw N` (polls for the pages of the next N statements), `answered` (waits for the answers to these polls), `open N` (opens
 * the next N letters, one after the other), `rest` (answers when nothing is drawn any more) and `figures`; answers each with the figures since
 * the last time.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    documents: z.int(),
    letters: z._default(z.int(), 0),
  })
  .parse(readOrder());
const today = new Date('2026-11-20T12:00:00Z');

const portal = await openBenchPortal(order);
const { server, pool, publish } = portal;
const other = { ...asker, personalId: '20000002', cif: 'bench-other' };
await portal.publishStatute();
for (const { personalId, cif, password } of [asker, other]) {
  await publish(calls.upsertClients, {
    body: { items: [{ personalId, cif, firstName: 'Anna', lastName: 'Nowak', initialPassword: password }] },
  });
  await pool.query(
    'insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at) select $1, id, version, sha256, effective_from from statute on conflict do nothing',
    [personalId],
  );
}

const published = z.object({ id: z.string(), sha256: z.string(), pageCount: z.int() });
type Published = z.output<typeof published>;
/** The demonstration's first of this name, so often. */
const publishAll = async (name: RegExp, { cif, count }: { cif: string; count: number }): Promise<Published[]> => {
  const paper = [...demoDocuments({ seed: 20_261_120, today })].find(({ uniqueName }) => name.test(uniqueName));
  if (paper === undefined) throw new Error(`the demonstration has no ${name.source}`);
  const pdf = await paper.pdf();
  const documents: Published[] = [];
  for (let number = 0; number < count; number += 1) {
    // A comment behind the end: other bytes, the same pages.
    const bytes = Buffer.concat([pdf, Buffer.from(`% ${number}\n`)]);
    const description = { type: 'PRIVATE', cif, fileName: `Zestawienie ${number}.pdf`, metadata: {} };
    documents.push(published.parse(await publish(calls.publishDocument, { form: formOf(description, bytes) })));
  }
  return documents;
};
const statements = await publishAll(/^DEMO-10000001-ANNUAL-\d+$/, { cif: asker.cif, count: order.documents });
const letters = await publishAll(/^DEMO-\d+-CARD-/, { cif: other.cif, count: order.letters });
const headers = await portal.headersOf(asker);
const headersOfOther = await portal.headersOf(other);

/** Statements of which pages were asked for, until all of these are stored. */
const drawn = new Set<Published>();
const width = 1240;
const isAtWork = async (): Promise<boolean> => {
  for (const statement of drawn) {
    const { sha256, pageCount } = statement;
    const folder = join(order.dataDir, 'renditions', `v${renditionFormat}`, sha256.slice(0, 2), sha256, String(width));
    if ((await readdir(folder).catch(() => [])).length < pageCount) return true;
    drawn.delete(statement);
  }
  const { rowCount } = await pool.query('select from graphile_worker.jobs where locked_at is not null or run_at <= now() limit 1');
  return rowCount !== 0;
};
const rest = async (): Promise<void> => {
  while (await isAtWork()) await new Promise((resolve) => setTimeout(resolve, 50));
};
const asking = new Set<Promise<void>>();
const draw = async (count: number): Promise<void> => {
  for (const statement of statements.splice(0, count)) {
    drawn.add(statement);
    const { path } = requestOf(calls.getRenderResult, { params: { id: statement.id }, query: { width: String(width) } });
    // Answered when the first page is there; the rest is drawn behind it.
    const asked = server.inject({ method: 'GET', url: path, headers }).then(({ statusCode, body }) => {
      asking.delete(asked);
      if (statusCode !== 200) process.stderr.write(`${path} was answered ${statusCode}: ${body}\n`);
    });
    asking.add(asked);
  }
};
/** Until the image of the only page has been handed out, in a width that nothing is drawn in ahead of time. */
const openLetter = async (): Promise<void> => {
  const id = letters.shift()?.id;
  if (id === undefined) throw new Error('there is no letter left');
  const width = '1860';
  const result = requestOf(calls.getRenderResult, { params: { id }, query: { width, page: '1' } });
  const image = requestOf(calls.getPageImage, { params: { id, page: '1' }, query: { width } });
  for (const { path } of [result, image]) {
    const { statusCode, body } = await server.inject({ method: 'GET', url: path, headers: headersOfOther });
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${body}`);
  }
};
const timesMs: number[] = [];
const open = async (count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1) {
    const startedAt = performance.now();
    await openLetter();
    timesMs.push(performance.now() - startedAt);
    // A client reads it.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

await server.listen({ host: '127.0.0.1', port: 0 });
await rest();
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
let before = process.threadCpuUsage();
const figures = async () => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  const delayP99Ms = delay.percentile(99) / 1e6;
  delay.reset();
  return { mainThreadMs: (user + system) / 1_000, delayP99Ms, openedMs: timesMs.splice(0), isAtWork: await isAtWork() };
};
say({ port: portOf(server.server), headers });

for await (const line of createInterface({ input: process.stdin })) {
  const [word, count] = line.split(' ');
  if (word === 'draw') await draw(Number(count));
  if (word === 'answered') await Promise.all(asking);
  if (word === 'open') await open(Number(count));
  if (word === 'rest') await rest();
  say(await figures());
}
await portal.close();

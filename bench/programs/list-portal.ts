import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type Call, type CallInput, calls, publisherScopes, requestOf } from '@pergamin/contract';
import { demoStatutes } from '@pergamin/tools/demo';
import * as z from 'zod/mini';
import { openPortal } from '../../server/src/app/portal.ts';
import { systemClock } from '../../server/src/platform/clock/clock.ts';
import { createLog } from '../../server/src/platform/log/log.ts';
import { createMetrics } from '../../server/src/platform/metrics/metrics.ts';
import { readSettings } from '../../server/src/platform/settings/settings.ts';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { signInThroughIdentity } from '../../server/src/testing/sign-in-as.ts';
import { acceptStatutes, owners } from '../million.data.ts';
import { readOrder, say } from '../program.ts';

/* The product itself on data that are kept from run to run, with its two owners signed in. Says its port and each owner's headers. */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
  })
  .parse(readOrder());

await mkdir(order.dataDir, { recursive: true });
const settings = readSettings({ DATA_DIR: order.dataDir, DEMO: 'off', TRUSTED_PROXIES: '127.0.0.1' });
const portal = await openPortal({
  settings,
  log: createLog(settings.logLevel),
  clock: systemClock,
  address: { connection: order.connection },
  metrics: createMetrics(),
});
const { server } = portal;
const { host } = settings.publicUrl;
const key = await portal.keys.issue({ name: 'bench', scopes: publisherScopes });

const publish = async <C extends Call>(call: C, input: CallInput<C>): Promise<void> => {
  const { path, init } = requestOf(call, input);
  const request = new Request(new URL(path, settings.publicUrl), init);
  const answer = await server.inject({
    method: call.method,
    url: path,
    headers: { host, authorization: `Bearer ${key}`, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  if (answer.statusCode >= 300) throw new Error(`${call.name} was answered ${answer.statusCode}: ${answer.body}`);
};

const items = Object.values(owners).map(({ personalId, cif, password }) => ({
  personalId,
  cif,
  firstName: 'Anna',
  lastName: 'Nowak',
  initialPassword: password,
}));
await publish(calls.upsertClients, { body: { items } });
const { rowCount: statutes } = await portal.pool.query('select from statute');
const statute = demoStatutes({ seed: 1, today: new Date('2026-11-20T12:00:00Z') })[0];
if (statute === undefined) throw new Error('the demonstration has no statute');
if (statutes === 0) {
  const form = new FormData();
  form.set('description', JSON.stringify({ version: '1' }));
  form.set('file', new Blob([Uint8Array.from(await statute.pdf())], { type: 'application/pdf' }), 'statute.pdf');
  await publish(calls.publishStatute, { form });
}
await acceptStatutes(portal.pool);

const headersOf = async ({ personalId, password }: (typeof owners)[keyof typeof owners]) => {
  const { token, cookie } = await signInThroughIdentity(server, { personalId, password, host });
  return { host, authorization: token, cookie };
};
const headers = { large: await headersOf(owners.large), small: await headersOf(owners.small) };
await server.listen({ host: '127.0.0.1', port: 0 });
say({ port: portOf(server.server), headers });

process.stdin.resume();
await once(process.stdin, 'end');
await portal.close();

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
import { readOrder, say } from '../program.ts';
import { asker } from '../received-list.data.ts';

/*
 * The product itself on a database that is given, with a statute and one client who has signed in, and others who can. Says its port and that
 * client's headers.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    clients: z._default(z.array(z.object({ personalId: z.string(), password: z.string() })), []),
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

const { personalId, cif, password } = asker;
await publish(calls.upsertClients, {
  body: { items: [{ personalId, cif, firstName: 'Anna', lastName: 'Nowak', initialPassword: password }] },
});
if (order.clients.length > 0) {
  const items = order.clients.map((client) => ({
    personalId: client.personalId,
    cif: `bench-${client.personalId}`,
    firstName: 'Jan',
    lastName: 'Kowalski',
    initialPassword: client.password,
  }));
  await publish(calls.upsertClients, { body: { items } });
}
const statute = demoStatutes({ seed: 1, today: new Date('2026-11-20T12:00:00Z') })[0];
if (statute === undefined) throw new Error('the demonstration has no statute');
const form = new FormData();
form.set('description', JSON.stringify({ version: '1' }));
form.set('file', new Blob([Uint8Array.from(await statute.pdf())], { type: 'application/pdf' }), 'statute.pdf');
await publish(calls.publishStatute, { form });

const { token, cookie } = await signInThroughIdentity(server, { personalId, password, host });
await server.listen({ host: '127.0.0.1', port: 0 });
say({ port: portOf(server.server), headers: { host, authorization: token, cookie } });

process.stdin.resume();
await once(process.stdin, 'end');
await portal.close();

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
 * client's headers. `senders` are more clients: they have accepted the statute and are signed in, to send what they like.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    clients: z._default(z.array(z.object({ personalId: z.string(), password: z.string() })), []),
    senders: z._default(z.int(), 0),
  })
  .parse(readOrder());

await mkdir(order.dataDir, { recursive: true });
const settings = readSettings({
  DATA_DIR: order.dataDir,
  DEMO: 'off',
  TRUSTED_PROXIES: '127.0.0.1',
  ...(order.senders > 0 ? { SENDING_FILES_PER_DAY: '100000' } : {}),
});
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
const senders = Array.from({ length: order.senders }, (_, index) => ({ personalId: `4${String(index).padStart(7, '0')}`, password }));
if (order.clients.length + senders.length > 0) {
  const items = [...order.clients, ...senders].map((client) => ({
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

const headersOf = async (who: { readonly personalId: string; readonly password: string }) => {
  const { token, cookie } = await signInThroughIdentity(server, { ...who, host });
  return { host, authorization: token, cookie };
};
const headers = await headersOf({ personalId, password });
const sending: (typeof headers)[] = [];
if (senders.length > 0) {
  const named = (name: string) => ({ pl: name, en: name });
  const items = [{ id: 'LETTERS', name: named('Pisma'), types: [{ id: 'LETTER', name: named('Pismo') }] }];
  await publish(calls.upsertCategories, { body: { items } });
  await portal.pool.query(`insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at)
    select personal_id, statute.id, version, sha256, effective_from from statute, client on conflict do nothing`);
  for (const sender of senders) sending.push(await headersOf(sender));
}
await server.listen({ host: '127.0.0.1', port: 0 });
say({ port: portOf(server.server), headers, senders: sending });

process.stdin.resume();
await once(process.stdin, 'end');
await portal.close();

import { calls } from '@pergamin/contract';
import * as z from 'zod/mini';
import { readOrder } from '../program.ts';
import { asker } from '../received-list.data.ts';
import { openBenchPortal } from './opened-portal.ts';

/*
 * The product itself on a database that is given, with a statute and one client who has signed in, and others who can. Says its port and that
 * client's headers, and the publisher's. `senders` are more clients: they have accepted the statute and are signed in, to send what they like.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    clients: z._default(z.array(z.object({ personalId: z.string(), password: z.string() })), []),
    senders: z._default(z.int(), 0),
  })
  .parse(readOrder());

const { pool, publish, publisherHeaders, publishStatute, headersOf, serve } = await openBenchPortal({
  ...order,
  settings: order.senders > 0 ? { SENDING_FILES_PER_DAY: '100000' } : {},
});
const { personalId, cif, password } = asker;
const senders = Array.from({ length: order.senders }, (_, index) => ({ personalId: `4${String(index).padStart(7, '0')}`, password }));
await publish(calls.upsertClients, {
  body: { items: [{ personalId, cif, firstName: 'Anna', lastName: 'Nowak', initialPassword: password }] },
});
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
await publishStatute();

const headers = await headersOf({ personalId, password });
const sending: (typeof headers)[] = [];
if (senders.length > 0) {
  const named = (name: string) => ({ pl: name, en: name });
  const items = [{ id: 'LETTERS', name: named('Pisma'), types: [{ id: 'LETTER', name: named('Pismo') }] }];
  await publish(calls.upsertCategories, { body: { items } });
  await pool.query(`insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at)
    select personal_id, statute.id, version, sha256, effective_from from statute, client on conflict do nothing`);
  for (const sender of senders) sending.push(await headersOf(sender));
}
await serve({ headers, senders: sending, publisher: publisherHeaders });

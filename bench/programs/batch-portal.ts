import { calls } from '@pergamin/contract';
import * as z from 'zod/mini';
import { cifOf, recipients } from '../batch.data.ts';
import { readOrder } from '../program.ts';
import { openBenchPortal } from './opened-portal.ts';

/*
 * The product itself with the recipients of a batch, one of whom has signed in. Says its port, that client's headers and the publisher's. No job
 * begins by the clock, so that what is measured is the batch's.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
  })
  .parse(readOrder());

const { key, pool, publish, publishStatute, headersOf, serve } = await openBenchPortal({ ...order, crontab: '' });
const password = 'Bench-2026-Pergamin';
const items = Array.from({ length: recipients }, (_, nth) => ({
  personalId: String(50_000_000 + nth),
  cif: cifOf(nth),
  firstName: 'Anna',
  lastName: 'Nowak',
  ...(nth === 0 ? { initialPassword: password } : {}),
}));
for (let at = 0; at < items.length; at += 500) await publish(calls.upsertClients, { body: { items: items.slice(at, at + 500) } });
await publishStatute();
await pool.query(`insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at)
  select personal_id, statute.id, version, sha256, effective_from from statute, client on conflict do nothing`);
const headers = await headersOf({ personalId: '50000000', password });
await serve({ headers, publisher: { host: headers.host, authorization: `Bearer ${key}` } });

import { calls } from '@pergamin/contract';
import * as z from 'zod/mini';
import { acceptStatutes, owners } from '../million.data.ts';
import { readOrder } from '../program.ts';
import { openBenchPortal } from './opened-portal.ts';

/* The product itself on data that are kept from run to run, with its owners signed in. Says its port and each owner's headers. */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
  })
  .parse(readOrder());

const { pool, publish, publishStatute, headersOf, serve } = await openBenchPortal(order);
const items = Object.values(owners).map(({ personalId, cif, password }) => ({
  personalId,
  cif,
  firstName: 'Anna',
  lastName: 'Nowak',
  initialPassword: password,
}));
await publish(calls.upsertClients, { body: { items } });
const { rowCount: statutes } = await pool.query('select from statute');
if (statutes === 0) await publishStatute();
await acceptStatutes(pool);
await serve({
  headers: { large: await headersOf(owners.large), medium: await headersOf(owners.medium), small: await headersOf(owners.small) },
});

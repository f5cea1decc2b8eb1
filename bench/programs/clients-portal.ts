import { setTimeout as pause } from 'node:timers/promises';
import { calls } from '@pergamin/contract';
import * as z from 'zod/mini';
import { writePages } from '../../server/src/testing/simple-pdf.ts';
import { readOrder } from '../program.ts';
import { formOf, openBenchPortal } from './opened-portal.ts';

/* The product with many clients of a few documents each, all of them signed in. Says its port, and each client's headers and one of its documents. */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    clients: z.int(),
  })
  .parse(readOrder());

const documentsOfEach = 4;
const atOnce = 8;
const password = 'Correct-horse-7';

const portal = await openBenchPortal({ ...order, settings: { NOTICES: 'never', LOG_LEVEL: 'warn' } });
await portal.publishStatute();
const people = Array.from({ length: order.clients }, (_, number) => ({
  personalId: `5${String(number).padStart(7, '0')}`,
  cif: `cif-${number}`,
  firstName: 'Anna',
  lastName: 'Nowak',
  initialPassword: password,
}));
await portal.publish(calls.upsertClients, { body: { items: people } });
await portal.pool.query(
  'insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at) select personal_id, id, version, sha256, effective_from from statute, client',
);

const clients: { headers: object; document: string }[] = [];
const queue = people.entries();
const prepare = async (): Promise<void> => {
  for (const [number, { personalId, cif }] of queue) {
    let document = '';
    for (let copy = 0; copy < documentsOfEach; copy += 1) {
      const description = { uniqueName: `${cif}-${copy}`, type: 'PRIVATE', fileName: 'Umowa.pdf', metadata: {}, cif };
      const pdf = writePages([`/MediaBox[0 0 ${300 + copy} ${300 + number}]`]);
      document = z.object({ id: z.string() }).parse(await portal.publish(calls.publishDocument, { form: formOf(description, pdf) })).id;
    }
    clients.push({ headers: await portal.headersOf({ personalId, password }), document });
  }
};
await Promise.all(Array.from({ length: atOnce }, prepare));
// What publishing has left to do is none of the clients' work.
const isAtRest = async (): Promise<boolean> => {
  const { rows } = await portal.pool.query(
    'select 1 from graphile_worker.jobs where run_at <= now() union all select 1 from document where text_read_at is null limit 1',
  );
  return rows.length === 0;
};
while (!(await isAtRest())) await pause(1_000);
await portal.serve({ clients });

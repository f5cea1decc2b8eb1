import { registerHooks } from 'node:module';
import { createInterface } from 'node:readline';
import { calls, requestOf } from '@pergamin/contract';
import { demoDocuments } from '@pergamin/tools/demo';
import * as z from 'zod/mini';
import { readOrder, say } from '../program.ts';

/*
 * The product with or without encryption, and with or without its ledger. Hears `publish N` (letters, each of other bytes) and `open N` (of them, the first page in
 * a width that nothing is drawn in ahead of time); answers when no job is left, with the number of entries of the ledger.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    encryption: z.enum(['on', 'off']),
    ledger: z.enum(['on', 'off']),
  })
  .parse(readOrder());

if (order.ledger === 'off') {
  const without = new URL('without-ledger.ts', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      const isDoor = specifier === '#features/ledger/ledger.door.ts' && context.parentURL?.endsWith('/app/rooms.ts') === true;
      return isDoor ? { url: without, shortCircuit: true } : next(specifier, context);
    },
  });
}
// After the hook.
const { formOf, openBenchPortal } = await import('./opened-portal.ts');
const { asker } = await import('../received-list.data.ts');

const portal = await openBenchPortal({
  ...order,
  settings: { ENCRYPTION: order.encryption, NOTICES: 'never', LOG_LEVEL: 'warn' },
  crontab: '',
});
const { server, pool, publish } = portal;
await portal.publishStatute();
const { personalId, cif, password } = asker;
await publish(calls.upsertClients, {
  body: { items: [{ personalId, cif, firstName: 'Anna', lastName: 'Nowak', initialPassword: password }] },
});
await pool.query(
  'insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at) select $1, id, version, sha256, effective_from from statute',
  [personalId],
);
const headers = await portal.headersOf(asker);

const paper = [...demoDocuments({ seed: 20_261_120, today: new Date('2026-11-20T12:00:00Z') })].find(({ uniqueName }) =>
  /^DEMO-\d+-CARD-/.test(uniqueName),
);
const pdf = await paper?.pdf();
if (pdf === undefined) throw new Error('the demonstration has no letter');
const published = z.object({ id: z.string() });
const letters: string[] = [];

const publishOne = async (number: number): Promise<void> => {
  // A comment behind the end: other bytes, the same page.
  const bytes = Buffer.concat([pdf, Buffer.from(`% ${number} ${performance.now()}\n`)]);
  const description = { type: 'PRIVATE', cif, fileName: `Umowa ${number}.pdf`, metadata: {} };
  letters.push(published.parse(await publish(calls.publishDocument, { form: formOf(description, bytes) })).id);
};

const openOne = async (): Promise<void> => {
  const id = letters.shift();
  if (id === undefined) throw new Error('there is no letter left');
  const width = '1860';
  const result = requestOf(calls.getRenderResult, { params: { id }, query: { width, page: '1' } });
  const image = requestOf(calls.getPageImage, { params: { id, page: '1' }, query: { width } });
  for (const { path } of [result, image]) {
    const { statusCode, body } = await server.inject({ method: 'GET', url: path, headers });
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${body}`);
  }
};

const rest = async (): Promise<void> => {
  for (;;) {
    const { rowCount } = await pool.query('select from graphile_worker.jobs where locked_at is not null or run_at <= now() limit 1');
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const answer = async (): Promise<void> => {
  await rest();
  say((await pool.query<{ entries: number }>('select count(*)::int as entries from ledger_entry')).rows[0] ?? {});
};

await answer();
for await (const line of createInterface({ input: process.stdin })) {
  const [word, count] = line.split(' ');
  for (let number = 0; number < Number(count); number += 1) await (word === 'publish' ? publishOne(number) : openOne());
  await answer();
}
await portal.close();

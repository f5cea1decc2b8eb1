import { registerHooks } from 'node:module';
import { createInterface } from 'node:readline';
import { calls } from '@pergamin/contract';
import { demoDocuments } from '@pergamin/tools/demo';
import * as z from 'zod/mini';
import { readOrder, say } from '../program.ts';

/* The product with its ledger or without it. Hears how many letters to publish, one after the other; answers when no job is left. */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
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
// After the hooks.
const { formOf, openBenchPortal } = await import('./opened-portal.ts');
const { pool, publish, publishStatute, close } = await openBenchPortal({
  ...order,
  settings: { NOTICES: 'never', LOG_LEVEL: 'warn' },
  crontab: '',
});
await publishStatute();
await publish(calls.upsertClients, { body: { items: [{ personalId: '70000001', cif: '7001', firstName: 'Anna', lastName: 'Nowak' }] } });
const paper = [...demoDocuments({ seed: 20_261_120, today: new Date('2026-11-20T12:00:00Z') })].find(({ uniqueName }) =>
  /^DEMO-\d+-CARD-/.test(uniqueName),
);
const pdf = await paper?.pdf();
if (pdf === undefined) throw new Error('the demonstration has no letter');

let number = 0;
const publishOne = async (): Promise<void> => {
  number += 1;
  // A comment behind the end: other bytes, the same page.
  const form = formOf(
    { type: 'PRIVATE', cif: '7001', fileName: `Umowa ${number}.pdf`, metadata: {} },
    Buffer.concat([pdf, Buffer.from(`% ${number}\n`)]),
  );
  await publish(calls.publishDocument, { form });
};

const rest = async (): Promise<void> => {
  for (;;) {
    const { rowCount } = await pool.query('select from graphile_worker.jobs where locked_at is not null or run_at <= now() limit 1');
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

await rest();
const { rows } = await pool.query<{ entries: number }>('select count(*)::int as entries from ledger_entry');
say(rows[0] ?? {});
for await (const line of createInterface({ input: process.stdin })) {
  for (let nth = 0; nth < Number(line); nth += 1) await publishOne();
  await rest();
  say((await pool.query<{ entries: number }>('select count(*)::int as entries from ledger_entry')).rows[0] ?? {});
}
await close();

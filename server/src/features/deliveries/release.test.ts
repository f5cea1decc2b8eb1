import { expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal } from '#testing/test-portal.ts';
import { release } from './deliveries.door.ts';

test('a document that is released once more keeps its moment, its place in the register and its deliveries', async () => {
  await using portal = await startTestPortal();
  await portal.addClient('1001', { cif: '7001' });
  const { id } = (await portal.publish({ cif: '7001', pdf: aPdf() })).body;
  const kept = async () => [
    await portal.db.selectFrom('document').select('published_at').where('id', '=', id).execute(),
    await portal.db.selectFrom('publication').selectAll().where('document_id', '=', id).execute(),
    await portal.db.selectFrom('delivery').selectAll().where('document_id', '=', id).execute(),
  ];
  const before = await kept();
  const at = new Date(portal.clock.now().getTime() + 60_000);
  await portal.db.transaction().execute((trx) => release(trx, [id], { at, timeZone: 'Europe/Warsaw' }));
  expect(await kept()).toEqual(before);
});

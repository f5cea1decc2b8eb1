import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Publication, webhookTypes } from '@pergamin/contract';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sendPart } from '#testing/batches.ts';
import { dumpDatabase, tablesWith } from '#testing/dump-database.ts';
import { aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { startWebhookPeer, type WebhookPeer } from '#testing/webhook-peer.ts';

/** After FORGOTTEN nothing that names the person is left: every table is read. */

const personal = {
  fileName: 'Umowa Anny Zielińskiej.pdf',
  uniqueName: 'KH-2026-774411',
  caseNumber: 'SPR/88812/26',
  accountNumber: '61 1090 1014 0000 0712 1981 2874',
  barNumber: 'BAR-550123',
  cif: '77000041',
  cif2: '77000042',
  addedBy: 'Zielińska przez Nowaka',
  word: 'Szczebrzeszyn',
  mail: 'anna.zielinska@example.com',
  wish: 'wniosek Anny Zielińskiej',
} as const;

let portal: TestPortal;
let peer: WebhookPeer;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  peer = await startWebhookPeer();
  // Nothing is taken: what would be told stays in the outbox.
  peer.answerWith((response) => void response.writeHead(500).end());
  portal = await startTestPortal({ environment: { ...peer.environment, RECEIVED_WEBHOOK_EVENTS: webhookTypes.join(',') } });
  anna = await portal.signIn('77100041', { cif: personal.cif, email: personal.mail, groups: ['dom-44'] });
  jan = await portal.signIn('77100042', { cif: personal.cif2, email: 'jan@example.com', groups: ['dom-44'] });
});

afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const publish = async ({ pdf: given, ...more }: Partial<Publication> & { pdf?: Uint8Array } = {}) => {
  const { fileName, uniqueName, addedBy, caseNumber, accountNumber, barNumber, cif, cif2, word } = personal;
  const metadata = { PRIV_CASE_NUMBER: caseNumber, ACCOUNT_NUMBER: accountNumber, BAR_NUMBER: barNumber, REG_DATE: '2026-11-18' };
  const owners = more.type === undefined ? { cif, cif2 } : {};
  const pdf = given ?? aPdf({ pages: 2, text: `${word} ${more.uniqueName ?? ''}` });
  const { body } = await portal.publish({ fileName, uniqueName, addedBy, metadata, ...owners, pdf, ...more });
  return { ...body, pdf };
};

const changeState = (id: string, reason: string = personal.wish) =>
  portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', reason, beforeRetention: true } });
const forget = (id: string, reason = 'art. 17, wniosek 7/26') =>
  portal.publisher.call('forgetDocument', { params: { id }, body: { reason, beforeRetention: true } });

/** Everything that clients and the organisation can do with a document, so that each table has its row. */
const useAll = async (id: string, sha256: string): Promise<void> => {
  for (const client of [anna, jan]) {
    await client.call('checkDocument', { params: { id }, query: { opening: 'true', width: '1240' } });
    for (const page of ['1', '2']) {
      await client.call('getPageImage', { params: { id, page }, query: {} });
      await client.call('getPageText', { params: { id, page } });
      await client.call('markPage', { params: { id, page } });
    }
    expect((await readToTheEnd(client, id)).status).toBe(204);
    await client.call('downloadDocument', { params: { id } });
    await client.call('checkDocument', { params: { id }, query: {} });
    await client.call('checkChecksum', { body: { sha256 } });
  }
  await portal.runJob('document-search:read');
  for (const held of [true, false]) await portal.publisher.call('holdDocument', { params: { id }, body: { held, reason: personal.wish } });
  await portal.publisher.call('retainDocument', { params: { id }, body: { until: '2099-12-31', reason: personal.wish } });
  await vi.waitFor(async () => expect((await portal.publisher.call('countNotices', { query: {} })).body.queued).toBe(0), 15_000);
};

const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('a document that is forgotten', () => {
  /**
   * Where the values of a forgotten document may still stand: in the record of the client, who still is one; in the membership of a group and its
   * history; and in the name of the client's key, under which other documents of this customer number are encrypted.
   */
  const ofTheClient = ['public.client', 'public.configuration_change', 'public.encryption_client_key', 'public.group_member'];

  test('leaves nothing in any table that names it or its owner, but what belongs to the client', async () => {
    const { id, sha256 } = await publish();
    await useAll(id, sha256);
    const before = await dumpDatabase(portal);
    const named = { ...personal, sha256 };
    // Each value is in more tables than may keep it: the search below finds what it looks for.
    for (const value of Object.values(named))
      expect(
        tablesWith(before, value).filter((table) => !ofTheClient.includes(table)),
        value,
      ).not.toEqual([]);

    await changeState(id);
    expect((await forget(id)).body).toMatchObject({ state: 'FORGOTTEN', sha256: null });

    const after = await dumpDatabase(portal);
    for (const value of Object.values(named))
      expect(
        tablesWith(after, value).filter((table) => !ofTheClient.includes(table)),
        value,
      ).toEqual([]);
    // Nor who read it: rows that name the document name no person.
    for (const { personalId } of [anna, jan])
      expect(
        tablesWith(
          after.filter(({ row }) => row.includes(id)),
          personalId,
        ),
        personalId,
      ).toEqual([]);
  });

  test('leaves nothing of a group in its row and in the register, and no page, text or byte on the disk', async () => {
    const { id, sha256, pdf } = await publish({ type: 'GROUP', groupId: 'dom-44', uniqueName: 'KH-GROUP-1' });
    await useAll(id, sha256);
    expect((await listStoredPages(portal, sha256)).length).toBeGreaterThan(0);
    await changeState(id);
    await forget(id);
    // Page images are no longer there when the call is answered.
    expect(await listStoredPages(portal, sha256)).toEqual([]);
    await portal.runJob('documents:remove');
    const dump = await dumpDatabase(portal);
    expect(tablesWith(dump, 'dom-44').filter((table) => !ofTheClient.includes(table))).toEqual([]);
    const files = await filesUnder(portal.settings.dataDir);
    expect(files.filter((path) => path.includes(sha256))).toEqual([]);
    for (const path of files) {
      const bytes = await readFile(path);
      expect([path, bytes.includes(Buffer.from(pdf)), bytes.includes(personal.word)]).toEqual([path, false, false]);
    }
  });

  test('leaves nothing in the facts that wait for the ledger, while a round of it is held up', async () => {
    const { id, sha256 } = await publish({ uniqueName: 'KH-PENDING-1' });
    await portal.owner.db.transaction().execute(async (trx) => {
      await sql`lock table ledger_tree in share mode`.execute(trx);
      await changeState(id);
      const waiting = await dumpDatabase(portal);
      expect(tablesWith(waiting, sha256)).toContain('public.ledger_pending');
      await forget(id);
      const dump = await dumpDatabase(portal);
      for (const value of [sha256, personal.cif])
        expect(
          tablesWith(dump, value).filter((table) => !ofTheClient.includes(table)),
          value,
        ).toEqual([]);
    });
    await portal.runJob('ledger:round');
    expect(tablesWith(await dumpDatabase(portal), sha256)).toEqual([]);
  });

  test('leaves another document of the same bytes its pages and all that is said of it', async () => {
    const pdf = aPdf({ text: 'the same for both' });
    const [gone, kept] = [await publish({ uniqueName: 'SAME-GONE', pdf }), await publish({ uniqueName: 'SAME-KEPT', pdf })];
    await useAll(kept.id, kept.sha256);
    await changeState(gone.id);
    await forget(gone.id);
    expect((await listStoredPages(portal, kept.sha256)).length).toBeGreaterThan(0);
    expect((await anna.call('checkDocument', { params: { id: kept.id }, query: {} })).body.status).toBe('SHA_CIF_OK');
    expect((await portal.publisher.call('getDocumentLife', { params: { id: kept.id } })).body.items.map(({ reason }) => reason)).toContain(
      personal.wish,
    );
  });

  test.each([
    ['the file name', `na wniosek: ${personal.fileName}`],
    ['the unique name', 'sprawa kh-reason-9'],
    ['the customer number', `CIF ${personal.cif}`],
    ['the second customer number', `CIF ${personal.cif2}`],
    ['the account, written in another way', `konto ${personal.accountNumber.replaceAll(' ', '')}`],
    ['the account with its country code', `konto PL${personal.accountNumber.replaceAll(' ', '-')}`],
    ['the case', `sygn. ${personal.caseNumber}`],
  ])('refuses a reason with %s, since the reason stays', async (_what, reason) => {
    const { id } = await publish({ uniqueName: 'KH-REASON-9' });
    await changeState(id);
    const { status, error } = await forget(id, reason);
    expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([400, 'VALIDATION_ERROR', ['reason']]);
    expect((await portal.publisher.call('getDocumentLife', { params: { id } })).body.document.state).toBe('DELETED');
  });
});

describe('the publication of a forgotten document that is sent again', () => {
  const forgotten = async (uniqueName: string) => {
    const { id, pdf, sha256 } = await publish({ uniqueName });
    await changeState(id);
    await forget(id);
    return { id, pdf, sha256 };
  };

  test('is the publication of before, and brings nothing back', async () => {
    const { id, pdf, sha256 } = await forgotten('AGAIN-1');
    const again = await portal.publish({ cif: personal.cif, uniqueName: 'AGAIN-1', pdf });
    expect(again.body).toMatchObject({ id, sha256, repeated: true });
    expect((await anna.call('getDocument', { params: { id } })).status).toBe(404);
    expect(tablesWith(await dumpDatabase(portal), 'AGAIN-1')).toEqual([]);
  });

  test('is refused with other bytes, and is judged alike by the check before a publication', async () => {
    const { id, sha256 } = await forgotten('AGAIN-2');
    const other = await portal.publish({ cif: personal.cif, uniqueName: 'AGAIN-2', pdf: aPdf({ text: 'other bytes' }) });
    expect([other.status, other.error?.code]).toEqual([409, 'RESOURCE_DUPLICATE']);
    const described = { type: 'PRIVATE', cif: personal.cif, fileName: 'A.pdf', metadata: {}, uniqueName: 'AGAIN-2' } as const;
    const judged = async (checksum: string) =>
      (await portal.publisher.call('checkPublications', { body: { items: [{ ...described, sha256: checksum }] } })).body;
    expect(JSON.stringify(await judged(sha256))).toContain(id);
    expect(JSON.stringify(await judged('a'.repeat(64)))).toContain('RESOURCE_DUPLICATE');
  });

  test('is recognised in a batch as well', async () => {
    const { id, pdf } = await forgotten('AGAIN-3');
    const { id: batch } = (await portal.publisher.call('openBatch', { body: { name: 'again' } })).body;
    const { accepted } = (await sendPart(portal.publisher, batch, [{ uniqueName: 'AGAIN-3', cif: personal.cif, pdf }])).body;
    expect(accepted).toMatchObject([{ id, repeated: true }]);
    const { refused } = (await sendPart(portal.publisher, batch, [{ uniqueName: 'AGAIN-3', cif: personal.cif }])).body;
    expect(refused).toMatchObject([{ code: 'RESOURCE_DUPLICATE' }]);
  });

  test('is recognised when it had taken the place of another document', async () => {
    const former = await publish({ uniqueName: 'AGAIN-4' });
    const next = {
      cif: personal.cif,
      cif2: personal.cif2,
      uniqueName: 'AGAIN-4',
      replaces: former.id,
      pdf: aPdf({ text: 'a new version' }),
    };
    const { id } = (await portal.publish(next)).body;
    await changeState(id);
    await forget(id);
    expect((await portal.publish(next)).body).toMatchObject({ id, repeated: true });
  });

  test('is recognised by the salted hashes of its row, which say nothing without the value', async () => {
    const { id, sha256 } = await forgotten('AGAIN-5');
    const row = await portal.db.selectFrom('forgotten_document').selectAll().where('document_id', '=', id).executeTakeFirstOrThrow();
    const saltedHash = (value: string) => createHash('sha256').update(row.salt).update(value).digest();
    expect(row.salt).toHaveLength(32);
    expect(row.name_hash).toEqual(saltedHash('AGAIN-5'));
    expect(row.content_hash).toEqual(saltedHash(sha256));
    expect(row.owner_hash).toEqual(saltedHash(`cif:${personal.cif}\ncif:${personal.cif2}`));
  });
});

describe('the database refuses', () => {
  const change = (statement: RawBuilder<unknown>) => statement.execute(portal.owner.db);

  test('to change or blank the register and the history of a document that is not forgotten', async () => {
    const { id } = await publish({ uniqueName: 'KEPT-1' });
    await changeState(id);
    for (const statement of [
      sql`update publication set cif = null, cif2 = null, group_id = null, sha256 = '' where document_id = ${id}::uuid`,
      sql`update publication set cif = 'other' where document_id = ${id}::uuid`,
      sql`update document_event set reason = null where document_id = ${id}::uuid`,
      sql`delete from publication where document_id = ${id}::uuid`,
      sql`delete from document_event where document_id = ${id}::uuid`,
    ])
      await expect(change(statement)).rejects.toThrow('insert-only');
  });

  test('to write anything but blanks over those of a forgotten one', async () => {
    const { id } = await publish({ uniqueName: 'KEPT-2' });
    await changeState(id);
    await forget(id);
    for (const statement of [
      sql`update publication set cif = 'other' where document_id = ${id}::uuid`,
      sql`update publication set at = now() where document_id = ${id}::uuid`,
      sql`update publication set size = 1 where document_id = ${id}::uuid`,
      sql`update document_event set reason = 'another' where document_id = ${id}::uuid`,
      sql`update document_event set at = now() where document_id = ${id}::uuid`,
      sql`update forgotten_document set name_hash = null where document_id = ${id}::uuid`,
      sql`delete from forgotten_document where document_id = ${id}::uuid`,
    ])
      await expect(change(statement)).rejects.toThrow('insert-only');
  });
});

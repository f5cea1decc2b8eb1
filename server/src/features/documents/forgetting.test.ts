import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Publication, webhookTypes } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dumpDatabase, tablesWith } from '#testing/dump-database.ts';
import { aPdf } from '#testing/pdfs.ts';
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

const publish = async (more: Partial<Publication> = {}) => {
  const { fileName, uniqueName, addedBy, caseNumber, accountNumber, barNumber, cif, cif2, word } = personal;
  const metadata = { PRIV_CASE_NUMBER: caseNumber, ACCOUNT_NUMBER: accountNumber, BAR_NUMBER: barNumber, REG_DATE: '2026-11-18' };
  const owners = more.type === undefined ? { cif, cif2 } : {};
  const pdf = aPdf({ pages: 2, text: `${word} ${more.uniqueName ?? ''}` });
  const { body } = await portal.publish({ fileName, uniqueName, addedBy, metadata, ...owners, pdf, ...more });
  return { ...body, pdf };
};

const changeState = (id: string, reason: string = personal.wish) =>
  portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', reason } });
const forget = (id: string, reason = 'art. 17, wniosek 7/26') =>
  portal.publisher.call('forgetDocument', { params: { id }, body: { reason } });

/** Everything that clients and the organisation can do with a document, so that each table has its row. */
const useAll = async (id: string, sha256: string): Promise<void> => {
  for (const client of [anna, jan]) {
    await client.call('checkDocument', { params: { id }, query: { opening: 'true', width: '1240' } });
    for (const page of ['1', '2']) {
      await client.call('getPageImage', { params: { id, page }, query: {} });
      await client.call('getPageText', { params: { id, page } });
      await client.call('markPage', { params: { id, page } });
    }
    expect((await client.call('markRead', { params: { id } })).status).toBe(204);
    await client.call('downloadDocument', { params: { id } });
    await client.call('checkDocument', { params: { id }, query: {} });
    await client.call('checkChecksum', { body: { sha256 } });
  }
  await portal.runJob('document-search:read');
  for (const held of [true, false])
    await portal.publisher.call('holdDocument', { params: { id }, body: { held, reason: personal.wish } });
  await portal.publisher.call('retainDocument', { params: { id }, body: { until: '2020-01-01', reason: personal.wish } });
  await vi.waitFor(async () => expect((await portal.publisher.call('countNotices', { query: {} })).body.queued).toBe(0), 15_000);
};

const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('a document that is forgotten', () => {
  /**
   * Where the values of a forgotten document may still stand, and why:
   * - the record of the client, who still is one, and what belongs to the client and not to the document: the address for letters, the
   *   membership of a group and its history, the key that other documents of this number are encrypted under;
   */
  const ofTheClient = ['public.client', 'public.configuration_change', 'public.encryption_client_key', 'public.group_member'];

  test('leaves nothing in any table that names it or its owner, but what belongs to the client', async () => {
    const { id, sha256 } = await publish();
    await useAll(id, sha256);
    const before = await dumpDatabase(portal);
    const named = { ...personal, sha256 };
    // Each value is in more tables than may keep it: the search below finds what it looks for.
    for (const value of Object.values(named))
      expect(tablesWith(before, value).filter((table) => !ofTheClient.includes(table)), value).not.toEqual([]);

    await changeState(id);
    expect((await forget(id)).body).toMatchObject({ state: 'FORGOTTEN', sha256: null });

    const after = await dumpDatabase(portal);
    for (const value of Object.values(named))
      expect(tablesWith(after, value).filter((table) => !ofTheClient.includes(table)), value).toEqual([]);
    // Nor who read it: rows that name the document name no person.
    for (const { personalId } of [anna, jan])
      expect(tablesWith(after.filter(({ row }) => row.includes(id)), personalId), personalId).toEqual([]);
  });
});

import { parseStatement, type Statement } from '@pergamin/ledger';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hashOfMetadata } from '#features/ledger/ledger.door.ts';
import { partsOf } from '#testing/mail-parts.ts';
import { type MailServer, refusal, startMailServer } from '#testing/mail-server.ts';
import { compareKept } from '#features/ledger/ledger.door.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer({
    async onRecipient(address) {
      if (address.startsWith('unknown')) throw refusal(550, 'no such mailbox');
    },
  });
  portal = await startTestPortal({ environment: { SMTP_URL: mail.url } });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

let people = 0;
const publishTo = async (email: string): Promise<string> => {
  people += 1;
  const cif = `cif-${people}`;
  await portal.addClient(`6000000${people}`, { cif, email, language: 'EN' });
  return (await portal.publish({ cif, pdf: aPdf({ text: `paper ${people}` }) })).body.id;
};

const settled = (documentId: string) =>
  vi.waitFor(
    async () => {
      const notice = await portal.db.selectFrom('notice').selectAll().where('document_id', '=', documentId).executeTakeFirstOrThrow();
      expect(notice.state).not.toBe('queued');
      return notice;
    },
    { timeout: 15_000, interval: 20 },
  );

/** What the ledger says of the document, after all that waited was entered. */
const statementsOf = async (documentId: string): Promise<Statement[]> => {
  await portal.runJob('ledger:round');
  const rows = await portal.db
    .selectFrom('ledger_entry')
    .select('statement')
    .where('document_id', '=', documentId)
    .orderBy('index')
    .execute();
  return rows.flatMap(({ statement }) => (statement === null ? [] : [parseStatement(Uint8Array.from(statement))]));
};

describe('P7: the client is told actively, and the ledger knows', () => {
  test('P7: a notice that was sent is an entry behind the publication, and the mail has the document’s checksum and a signed checkpoint', async () => {
    const id = await publishTo('anna@example.com');
    expect(await settled(id)).toMatchObject({ state: 'sent', channel: 'EMAIL' });
    const statements = await statementsOf(id);
    expect(statements.map(({ event }) => event)).toEqual(['PUBLISHED', 'NOTIFIED']);
    const [letter] = mail.received.filter(({ to }) => to.includes('anna@example.com'));
    const [plain = '', html = ''] = partsOf(letter?.raw ?? '');
    const checkpoints = await portal.db.selectFrom('ledger_checkpoint').select(['size', 'note']).orderBy('size').execute();
    expect(plain).toContain(statements[0]?.sha256);
    const [kept, ...more] = checkpoints.filter(({ note }) => plain.replaceAll('\r\n', '\n').includes(`\n${note}`));
    expect(more).toEqual([]);
    // As somebody copies it out of either part.
    const shown = html.replaceAll(/<br>|<\/p>/g, '\n').replaceAll(/<[^>]+>/g, '');
    for (const part of [plain, shown])
      expect(await compareKept(portal.db, part)).toMatchObject({ verdict: 'PART', kept: { size: kept?.size, isSigned: true } });
  });

  test('P7: a notice that no mailbox took is an entry of its own, with another result', async () => {
    const [sent, refused] = [await publishTo('zofia@example.com'), await publishTo('unknown@example.com')];
    expect([(await settled(sent)).state, (await settled(refused)).state]).toEqual(['sent', 'failed']);
    const [one, other] = [await statementsOf(sent), await statementsOf(refused)];
    expect([one, other].map((statements) => statements.map(({ event }) => event))).toEqual([
      ['PUBLISHED', 'NOTIFIED'],
      ['PUBLISHED', 'NOTIFIED'],
    ]);
    expect(one[1]?.metadata).not.toBe(other[1]?.metadata);
  });
});

test('a client’s history names the notice that reached them with its entry, and no notice of another owner', async () => {
  await portal.addClient('7001', { cif: '7701', email: 'first@example.com', language: 'EN' });
  await portal.addClient('7002', { cif: '7702', email: 'unknown@example.com', language: 'EN' });
  const { id } = (await portal.publish({ cif: '7701', cif2: '7702', pdf: aPdf({ text: 'joint' }) })).body;
  await vi.waitFor(
    async () => {
      const notices = await portal.db.selectFrom('notice').select('state').where('document_id', '=', id).execute();
      expect(notices.map(({ state }) => state).toSorted()).toEqual(['failed', 'sent']);
    },
    { timeout: 15_000, interval: 20 },
  );
  const statements = await statementsOf(id);
  expect(statements.map(({ event }) => event)).toEqual(['PUBLISHED', 'PUBLISHED', 'NOTIFIED', 'NOTIFIED']);
  const notified = async (personalId: string, cif: string) => {
    const client = await portal.signIn(personalId, { cif });
    const { items } = (await client.call('getDocumentHistory', { params: { id } })).body;
    return items.filter(({ event }) => event === 'NOTIFIED');
  };
  const [line, ...more] = await notified('7001', '7701');
  expect(more).toEqual([]);
  const { statement } = await portal.db
    .selectFrom('ledger_entry')
    .select('statement')
    .where('index', '=', line?.entry?.index ?? -1)
    .executeTakeFirstOrThrow();
  const { id: notice } = await portal.db
    .selectFrom('notice')
    .select('id')
    .where('document_id', '=', id)
    .where('receiver', '=', '7001')
    .executeTakeFirstOrThrow();
  expect(parseStatement(Uint8Array.from(statement ?? [])).metadata).toBe(
    hashOfMetadata({ notice, kind: 'publication', result: 'sent', channel: 'EMAIL' }),
  );
  expect(await notified('7002', '7702')).toEqual([]);
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { partsOf } from '#testing/mail-parts.ts';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';
import { aPdf } from '#testing/pdfs.ts';
import { type SmsPeer, startSmsGateway } from '#testing/sms-gateway.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let mail: MailServer;
let gateway: SmsPeer;

beforeAll(async () => {
  mail = await startMailServer();
  gateway = await startSmsGateway();
  gateway.answerWith(() => ({ status: 201, body: JSON.stringify({ id: 'sms-1' }) }));
  portal = await startTestPortal({
    environment: { SMTP_URL: mail.url, SMS_URL: gateway.url, SMS_TOKEN: 'token', ORGANISATION_NAME: 'Bank Wisła' },
  });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

const withdraw = (id: string) => portal.publisher.call('withdrawDocument', { params: { id }, body: { reason: 'the wrong file' } });

const sentOf = (id: string) =>
  vi.waitFor(
    async () => {
      const rows = await portal.db
        .selectFrom('notice')
        .selectAll()
        .where('document_id', '=', id)
        .where('kind', '=', 'withdrawal')
        .execute();
      expect(rows.map(({ state }) => state)).not.toContain('queued');
      expect(rows).not.toEqual([]);
      return rows;
    },
    { timeout: 15_000, interval: 20 },
  );

test('a document that is withdrawn after it was opened is told by mail and by SMS to all its recipients, once, and entered', async () => {
  const anna = await portal.signIn('70000001', { cif: '701', cif2: null, email: 'anna@example.com', language: 'PL' });
  await portal.addClient('70000002', { cif: '702', phone: '+48600100200', language: 'EN' });
  const { id } = (await portal.publish({ cif: '701', cif2: '702', fileName: 'Umowa.pdf', pdf: aPdf({ text: 'wrong' }) })).body;
  await anna.call('checkDocument', { params: { id }, query: { opening: 'true' } });
  await withdraw(id);
  await withdraw(id);
  expect((await sentOf(id)).map(({ state, channel, receiver }) => [state, channel, receiver]).toSorted()).toEqual([
    ['sent', 'EMAIL', '70000001'],
    ['sent', 'SMS', '70000002'],
  ]);
  const [letter, ...others] = mail.received.filter(({ raw }) => partsOf(raw)[0]?.includes('anuluje dokument'));
  expect(others).toEqual([]);
  const [plain = ''] = partsOf(letter?.raw ?? '');
  for (const words of [
    'Bank Wisła anuluje dokument, który był dla Ciebie opublikowany: Umowa.pdf',
    'oznaczony jako anulowany',
    `#open=document:${id}`,
  ])
    expect(plain).toContain(words);
  const texts = gateway.received.map(({ raw }) => (JSON.parse(raw) as { text: string }).text);
  expect(texts.filter((text) => text.includes('cancelled'))).toEqual([
    'Bank Wisła: one of your documents in the document portal was cancelled.',
  ]);
  await portal.runJob('ledger:round');
  const { rows } = await portal.pool.query("select from ledger_entry where document_id = $1 and event = 'NOTIFIED'", [id]);
  expect(rows).toHaveLength(4);
});

test('of a document that nobody had opened nothing is told', async () => {
  const { id } = (await portal.publish({ cif: '701', pdf: aPdf({ text: 'wrong, too' }) })).body;
  await withdraw(id);
  const rows = await portal.db.selectFrom('notice').select('kind').where('document_id', '=', id).execute();
  expect(rows.map(({ kind }) => kind)).toEqual(['publication']);
});

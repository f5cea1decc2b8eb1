import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startSmsGateway } from '#testing/sms-gateway.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

const statesOf = async ({ db }: TestPortal, documentId: string): Promise<string[]> =>
  (await db.selectFrom('notice').select(['state', 'channel']).where('document_id', '=', documentId).execute()).map(
    ({ state, channel }) => `${channel} ${state}`,
  );

const keptOf = async ({ db }: TestPortal) =>
  db.selectFrom('mail_outbox').select(['recipient', 'state', 'subject', 'content']).orderBy('created_at').execute();

describe('on this machine alone', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startTestPortal();
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('a notice is kept in the local outbox, once, with the way to the document', async () => {
    await portal.addClient('91000001', { cif: '91001', email: 'local@example.com' });
    const { id } = (await portal.publish({ cif: '91001', pdf: aPdf({ text: 'local' }) })).body;
    await eventually(async () => expect(await statesOf(portal, id)).toEqual(['EMAIL sent']));
    await portal.pool.query(`update notice set state = 'queued', due_at = now() - interval '1 hour' where document_id = $1`, [id]);
    await portal.runJob('notices:sweep');
    await eventually(async () => expect(await statesOf(portal, id)).toEqual(['EMAIL sent']));
    const kept = await keptOf(portal);
    expect(kept).toMatchObject([
      { recipient: 'local@example.com', state: 'kept', content: expect.stringContaining(`#open=document:${id}`) },
    ]);
  });

  test('a publisher may not choose to date a document back, and backdated demonstration data send no notices', async () => {
    const key = await portal.keys.issue({ name: 'demo', scopes: ['documents:publish'], demo: true });
    const form = new FormData();
    const publishedAt = portal.clock.now().getTime() - 2 * 86_400_000;
    form.set('description', JSON.stringify({ type: 'PRIVATE', cif: '91001', fileName: 'Stary.pdf', publishedAt }));
    form.set('file', new Blob([Uint8Array.from(aPdf({ text: 'dated back' }))], { type: 'application/pdf' }), 'a.pdf');
    const answer = await portal.anonymous.call('publishDocument', { form }, { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(200);
    expect(await statesOf(portal, answer.body.id)).toEqual([]);
    const { rows } = await portal.pool.query('select from notification where document_id = $1', [answer.body.id]);
    expect(rows).toHaveLength(1);
  });
});

test('demonstration people are never written to outside of this machine, by mail or by SMS', async () => {
  await using mail = await startMailServer();
  await using gateway = await startSmsGateway();
  await using portal = await startTestPortal({ environment: { SMTP_URL: mail.url, SMS_URL: gateway.url } });
  await portal.addClient('92000001', { cif: '92001', email: 'demo@example.com', phone: '+48600100200' });
  await portal.addClient('92000002', { cif: '92001', email: 'real@example.com' });
  // As if they had come with the demonstration.
  await portal.owner.pool.query(
    `begin; set local session_replication_role = replica; update client set demo = true where personal_id = '92000001'; commit`,
  );
  const { id } = (await portal.publish({ cif: '92001', pdf: aPdf({ text: 'to both' }) })).body;
  await eventually(async () => expect(await statesOf(portal, id)).toEqual(['EMAIL sent']));
  expect(mail.received.map(({ to }) => to)).toEqual([['real@example.com']]);
  expect(gateway.received).toEqual([]);
});

test('with NOTICES=never a document is told in the portal, and by no notice', async () => {
  await using mail = await startMailServer();
  await using portal = await startTestPortal({ environment: { SMTP_URL: mail.url, NOTICES: 'never' } });
  const client = await portal.signIn('93000001', { cif: '93001', email: 'never@example.com' });
  const { id } = (await portal.publish({ cif: '93001', pdf: aPdf() })).body;
  expect(await statesOf(portal, id)).toEqual([]);
  expect((await client.call('listNotifications', {})).body.items).toHaveLength(1);
  const { items } = (await portal.publisher.call('listUnopened', { query: {} })).body;
  expect(items).toMatchObject([{ documentId: id, unread: true, undelivered: false, notice: null }]);
});

describe('the installation’s own words', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branding-'));
    await mkdir(join(folder, 'languages'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const write = (sentences: Record<string, string>) => writeFile(join(folder, 'languages', 'pl.json'), JSON.stringify(sentences));

  test('may leave the link out of mails and put it into SMS, with the name of the document', async () => {
    await write({
      'mail.newDocument.text': 'Nowe pismo: {{fileName}}. Wejdź na stronę banku.',
      'sms.newDocument.text': '{{organisation}}: {{fileName}} {{link}}',
    });
    await using gateway = await startSmsGateway();
    await using portal = await startTestPortal({ environment: { BRANDING_DIR: folder, SMS_URL: gateway.url, ORGANISATION_NAME: 'Bank' } });
    await portal.addClient('94000001', { cif: '94001', phone: '+48600100200' });
    await portal.addClient('94000002', { cif: '94001', email: 'own@example.com' });
    const { id } = (await portal.publish({ cif: '94001', fileName: `${'Pismo '.repeat(20)}.pdf`, pdf: aPdf() })).body;
    await eventually(async () => expect((await statesOf(portal, id)).toSorted()).toEqual(['EMAIL sent', 'SMS sent']));
    const { text }: { text: string } = JSON.parse(gateway.received[0]?.raw ?? '{}');
    expect(text).toBe(`Bank: ${'Pismo '.repeat(20).slice(0, 59)}… http://localhost:8080/#open=document:${id}`);
    const [letter] = await keptOf(portal);
    expect(letter?.content).toMatch(/^Nowe pismo: (Pismo )+\.pdf\. Wejdź na stronę banku\.$/);
  });

  test.each([
    ['mail.newDocument.text', 'Drogi {{firstName}}, {{fileName}}'],
    ['sms.newDocument.text', '{{personalId}}: {{link}}'],
    ['mail.unreadDocument.subject', '{{cif}}'],
  ])('%s with a placeholder that there is not stops the start, in words', async (key, sentence) => {
    await write({ [key]: sentence });
    await expect(startTestPortal({ environment: { BRANDING_DIR: folder } })).rejects.toThrow(
      `languages/pl.json: "${key}" may have the placeholders {{organisation}} {{fileName}} {{sha256}} {{register}} {{link}}, and has {{`,
    );
  });
});

test('103: neither the token, nor an address, nor a number comes into the log, under any answer of the gateway', async () => {
  const lines: string[] = [];
  await using gateway = await startSmsGateway();
  gateway.answerWith(() => ({ status: 400, body: 'token canary-token refused for +48600777666' }));
  await using mail = await startMailServer({
    async onRecipient(address) {
      throw Object.assign(new Error(`<${address}> see https://mail.example.com/canary-link`), { responseCode: 550 });
    },
  });
  await using portal = await startTestPortal({
    environment: { SMTP_URL: mail.url, SMS_URL: `${gateway.url}?key=canary-key`, SMS_TOKEN: 'canary-token' },
    log: createLog('debug', { write: (line) => void lines.push(line) }),
  });
  await portal.addClient('95000001', { cif: '95001', phone: '+48600777666' });
  await portal.addClient('95000002', { cif: '95001', email: 'canary-mail@example.com' });
  const { id } = (await portal.publish({ cif: '95001', pdf: aPdf() })).body;
  await eventually(async () => expect((await statesOf(portal, id)).toSorted()).toEqual(['EMAIL failed', 'SMS failed']));
  const log = lines.join('');
  expect(log).toContain('a notice was not sent');
  for (const secret of ['canary-token', 'canary-key', 'canary-link', '48600777666', 'canary-mail@example.com'])
    expect(log).not.toContain(secret);
  const { rows } = await portal.pool.query<{ last_error: string }>('select last_error from notice');
  for (const { last_error: error } of rows) expect(error).not.toMatch(/canary-(token|key|link)|48600777666/);
});

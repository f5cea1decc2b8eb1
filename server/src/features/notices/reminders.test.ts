import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { isDaytime } from './notices.rules.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

let portal: TestPortal;
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  portal = await startTestPortal({ environment: { SMTP_URL: mail.url, NOTICE_REMINDER_DAYS: '7', SESSION_IDLE_MINUTES: '1440' } });
});
beforeEach(() => {
  mail.received.length = 0;
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

let people = 0;
const signIn = () => {
  people += 1;
  const personalId = `8200000${people}`;
  return portal.signIn(personalId, { cif: `cif-${personalId}`, email: `${personalId}@example.com`, language: 'EN' });
};

let papers = 0;
const publishTo = async (cif: string): Promise<string> => {
  papers += 1;
  const { id } = (await portal.publish({ cif, pdf: aPdf({ text: `remind ${papers}` }) })).body;
  await eventually(async () => expect(await kindsOf(id)).toEqual(['publication sent']));
  return id;
};

const kindsOf = async (documentId: string): Promise<string[]> => {
  const rows = await portal.db
    .selectFrom('notice')
    .select(['kind', 'state'])
    .where('document_id', '=', documentId)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind, state }) => `${kind} ${state}`);
};

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

const toDaytime = (): void => {
  while (!isDaytime(portal.clock.now(), 'Europe/Warsaw')) portal.clock.advance(hourMs);
};

describe('a reminder', () => {
  test('goes once to each client who has not opened a document for as many days as the setting says', async () => {
    const { personalId } = await signIn();
    const id = await publishTo(`cif-${personalId}`);
    portal.clock.advance(7 * dayMs);
    toDaytime();
    await portal.runJob('notices:remind');
    await eventually(async () => expect(await kindsOf(id)).toEqual(['publication sent', 'reminder sent']));
    await portal.runJob('notices:remind');
    portal.clock.advance(30 * dayMs);
    toDaytime();
    await portal.runJob('notices:remind');
    expect(await kindsOf(id)).toEqual(['publication sent', 'reminder sent']);
    const letters = mail.received.filter(({ to }) => to.includes(`${personalId}@example.com`));
    expect(letters.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1])).toEqual([
      expect.stringContaining('new_document'),
      expect.stringContaining('Reminder'),
    ]);
    const { items } = (await portal.publisher.call('listUnopened', { query: {} })).body;
    expect(items.find(({ documentId }) => documentId === id)?.remindedOn).toBeGreaterThan(0);
  });

  test('does not go a day too early', async () => {
    const { personalId } = await signIn();
    const id = await publishTo(`cif-${personalId}`);
    portal.clock.advance(6 * dayMs);
    toDaytime();
    await portal.runJob('notices:remind');
    expect(await kindsOf(id)).toEqual(['publication sent']);
  });

  test('does not go to a client who has read or downloaded the document, nor of one that was withdrawn', async () => {
    const client = await signIn();
    const cif = `cif-${client.personalId}`;
    const [read, downloaded, cancelled, deleted, left] = [
      await publishTo(cif),
      await publishTo(cif),
      await publishTo(cif),
      await publishTo(cif),
      await publishTo(cif),
    ];
    await readToTheEnd(client, read);
    await client.call('downloadDocument', { params: { id: downloaded } });
    await portal.pool.query(`update document set state = 'CANCELLED' where id = $1`, [cancelled]);
    await portal.pool.query(`update document set state = 'DELETED' where id = $1`, [deleted]);
    portal.clock.advance(8 * dayMs);
    toDaytime();
    await portal.runJob('notices:remind');
    await eventually(async () => expect(await kindsOf(left)).toEqual(['publication sent', 'reminder sent']));
    for (const id of [read, downloaded, cancelled, deleted]) expect(await kindsOf(id)).toEqual(['publication sent']);
  });

  test('a reminder that waits is dropped when the document is read meanwhile', async () => {
    const client = await signIn();
    const id = await publishTo(`cif-${client.personalId}`);
    await portal.pool.query(
      `insert into notice (document_id, receiver, kind, channel, state, due_at, created_at) values ($1, $2, 'reminder', 'EMAIL', 'queued', now() + interval '1 year', now())`,
      [id, client.personalId],
    );
    await readToTheEnd(client, id);
    mail.received.length = 0;
    await portal.pool.query(`update notice set due_at = now() - interval '1 hour' where document_id = $1 and kind = 'reminder'`, [id]);
    await portal.runJob('notices:sweep');
    await eventually(async () => expect(await kindsOf(id)).toEqual(['publication sent']));
    expect(mail.received).toEqual([]);
  });

  test('is not sent at night', async () => {
    const { personalId } = await signIn();
    const id = await publishTo(`cif-${personalId}`);
    portal.clock.advance(8 * dayMs);
    while (isDaytime(portal.clock.now(), 'Europe/Warsaw')) portal.clock.advance(hourMs);
    await portal.runJob('notices:remind');
    expect(await kindsOf(id)).toEqual(['publication sent']);
    toDaytime();
    await portal.runJob('notices:remind');
    await eventually(async () => expect(await kindsOf(id)).toEqual(['publication sent', 'reminder sent']));
  });
});

test.each([
  ['2026-01-15T06:59:00Z', false],
  ['2026-01-15T07:00:00Z', true],
  ['2026-01-15T18:59:00Z', true],
  ['2026-01-15T19:00:00Z', false],
  ['2026-07-15T06:00:00Z', true],
  ['2026-07-15T05:59:00Z', false],
])('at %s it is day in Warsaw: %s', (moment, isDay) => {
  expect(isDaytime(new Date(moment), 'Europe/Warsaw')).toBe(isDay);
});

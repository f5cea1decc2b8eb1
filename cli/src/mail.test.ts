import { randomUUID } from 'node:crypto';
import { startMailServer } from '@pergamin/server/testing/mail-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, freePort, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let port: number;
let environment: Record<string, string>;

beforeAll(async () => {
  port = await freePort();
  started = await startCliPortal({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  const { databaseUrl, settings } = started.portal;
  environment = { DATABASE_URL: databaseUrl, DATA_DIR: settings.dataDir };
  // Nobody has a password: everybody is mailed a link that sets one.
  for (const personalId of ['1001', '1002'])
    await started.portal.addClient(personalId, { email: `anna.${personalId}@example.com`, initialPassword: undefined });
  await vi.waitFor(
    async () => {
      if ((await rows()).some(({ due_at: dueAt }) => dueAt === null)) throw new Error('not tried yet');
    },
    { timeout: 30_000 },
  );
  // They stay as they are.
  await started.portal.pool.query('delete from graphile_worker._private_jobs');
}, 60_000);
afterAll(() => started[Symbol.asyncDispose]());

const rows = () => started.portal.db.selectFrom('mail_outbox').selectAll().orderBy('created_at').orderBy('id').execute();
const mail = (args: string[], isAlone = false): Promise<Ended> =>
  runPergamin(['mail', ...args], { folder: started.folder, environment, isAlone });

// A process, and one with the part of the server that it needs.
const slow = { timeout: 90_000 };

test('pergamin mail list says what waits, why, and until when its link works, and neither words nor whole addresses', slow, async () => {
  const { code, out, error } = await mail(['list'], true);
  expect([code, error]).toEqual([0, '']);
  expect(out.split('\n').slice(0, 4)).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36} {2}waiting {2}activation {2}a\*\*\*@example\.com {2}queued \d{4}-/),
    expect.stringMatching(/^ {4}1 attempt; the last one: nothing answers at the address of the mail server \(ESOCKET: .*ECONNREFUSED/),
    expect.stringMatching(/^ {4}next attempt: \d{4}-/),
    expect.stringMatching(/^ {4}its link works until \d{4}-/),
  ]);
  expect(out).not.toMatch(/anna|https?:/);
});

test('pergamin mail list --json gives the same to a program', async () => {
  const { letters, more } = JSON.parse((await mail(['list', '--json'])).out) as { letters: object[]; more: number };
  expect([letters.length, more]).toEqual([2, 0]);
  expect(letters[0]).toMatchObject({ state: 'waiting', kind: 'activation', to: 'a***@example.com', attempts: 1, unsendable: null });
});

test('pergamin mail retry says that there is no such mail, or that an id is none', async () => {
  expect(await mail(['retry', randomUUID()])).toMatchObject({ code: 1, error: expect.stringContaining('can be sent') });
  expect(await mail(['retry', '4711'])).toMatchObject({ code: 2, error: expect.stringContaining('no id of a mail') });
  expect(await mail(['retry', '--failed', randomUUID()])).toMatchObject({ code: 2 });
  expect(await mail(['everything'])).toMatchObject({ code: 2 });
});

test('pergamin mail retry sends what was given up and what waits, and nothing with an expired link', slow, async () => {
  const [failed, expired] = await rows();
  const { pool } = started.portal;
  await pool.query(`update mail_outbox set state = 'failed'`);
  await pool.query('update mail_outbox set valid_until = now() where id = $1', [expired?.id]);
  await using server = await startMailServer({ port });
  expect((await mail(['retry', '--failed'])).out).toBe('1 mail is due now; a portal that runs sends them, the urgent ones first\n');
  await expect.poll(() => server.received.length, { timeout: 30_000 }).toBe(1);
  expect(server.received[0]?.to).toEqual([failed?.recipient]);
  await expect.poll(async () => (await rows()).map(({ state }) => state), { timeout: 5_000 }).toEqual(['sent', 'failed']);
  expect((await mail(['list'])).out).toContain('cannot be sent any more: its link has expired');
  expect(await mail(['retry', String(expired?.id)])).toMatchObject({ code: 1 });
});

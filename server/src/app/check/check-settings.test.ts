import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grantToPortal } from '#platform/database/grants.ts';
import { freePort } from '#testing/free-port.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { portOf } from '#testing/raw-http.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { startWitnessPeer } from '#testing/witness-peer.ts';
import { checkSettings, printedOutcomes } from './check-settings.ts';
import { reasonOf } from './outcome.ts';

let portal: TestPortal;
let environment: Record<string, string>;

beforeAll(async () => {
  portal = await startTestPortal();
  await grantToPortal(portal.owner.db, 'pergamin_portal');
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(() => {
  environment = { DATABASE_URL: portal.databaseUrl, DATA_DIR: portal.settings.dataDir, PUBLIC_URL: portal.settings.publicUrl.origin };
});

const check = async (given: Record<string, string> = {}): Promise<Record<string, string>> => {
  const outcomes = await checkSettings({ ...environment, ...given });
  return Object.fromEntries(outcomes.map(({ name, state, text }) => [name, `${state}: ${text}`]));
};

const listing = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(names.toSorted().map(async (name) => `${name} ${(await stat(join(folder, name))).mtimeMs}`));
};

test('what works is told by what was tried, and what is not configured is told as that', async () => {
  const before = await listing(portal.settings.dataDir);
  const found = await check();
  expect(found).toMatchObject({
    database: expect.stringMatching(/^ok: PostgreSQL \d+\S*, \S+ \(UTF8\), as pergamin_portal; every migration was run$/),
    'database role': 'ok: pergamin_portal owns nothing, and cannot switch off what keeps rows unchanged',
    'data disk': expect.stringMatching(/^(?:ok|warning): DATA_DIR: [\d.]+ of [\d.]+ GB are free/),
    objects: 'ok: DATA_DIR/objects: the objects of this database; whether they are locked was not tried',
    'encryption key': expect.stringMatching(/^ok: ENCRYPTION_KEY_FILE: .* opens keys of this database, one of each of 1 versions$/),
    contents: 'ok: no demonstration that others could reach, and STATEMENT_MARKER_KEY is not the key of other metadata',
    witness: 'not configured: LEDGER_POLICY_FILE: nobody outside watches the ledger',
    mail: 'not configured: SMTP_URL: no mail leaves',
    'identity service': 'not configured: IDENTITY_SERVICES: everybody signs in at the embedded one',
    'malware scanner': 'not configured: CLAMD_URL: what clients send is not scanned',
  });
  expect(await listing(portal.settings.dataDir)).toEqual(before);
});

describe('the mail server', () => {
  test('is greeted and signed in at, and gets no mail', async () => {
    await using server = await startMailServer({ login: { user: 'portal', password: 'canary-word' } });
    expect((await check({ SMTP_URL: server.url }))['mail']).toMatch(
      /^ok: 127\.0\.0\.1:\d+ answers without TLS, on this machine, and lets the portal sign in$/,
    );
    expect(server.received).toEqual([]);
  });

  test('that refuses the password is told without it', async () => {
    await using server = await startMailServer({ login: { user: 'portal', password: 'other' } });
    const url = server.url.replace('other', 'canary-word');
    const outcomes = await checkSettings({ ...environment, SMTP_URL: url });
    const text = printedOutcomes(outcomes);
    expect(text).toMatch(/^wrong +mail +127\.0\.0\.1:\d+: it refused user and password \(535\)$/m);
    expect(text).not.toContain('canary-word');
    expect(text).toMatch(/^1 wrong: \d+ fine/m);
  });

  test('whose certificate cannot be trusted is told', async () => {
    await using server = await startMailServer({ secure: true });
    expect((await check({ SMTP_URL: server.url }))['mail']).toMatch(/^wrong: 127\.0\.0\.1:\d+: its certificate /);
  });

  test('that is not there is told', async () => {
    expect((await check({ SMTP_URL: 'smtp://127.0.0.1:9' }))['mail']).toBe('wrong: 127.0.0.1:9: nothing listens there');
  });
});

describe('the malware scanner', () => {
  test.each([
    ['PONG\0', 'ok: clamd answers'],
    ['220 mail.example.com', 'wrong: CLAMD_URL: what answers there is not clamd'],
  ])('that says %j is told', async (said, expected) => {
    const server = createServer((socket) => void socket.once('data', () => socket.end(said))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect((await check({ CLAMD_URL: `tcp://127.0.0.1:${portOf(server)}` }))['malware scanner']).toBe(expected);
    server.close();
  });
});

test('a witness that does not know the ledger is told apart from one that is not there', async () => {
  await using peer = await startWitnessPeer('auditor.example/w1');
  const policy = join(portal.settings.dataDir, 'policy');
  await writeFile(policy, `${peer.line}\nquorum none\n`);
  expect((await check({ LEDGER_POLICY_FILE: policy }))['witness']).toMatch(/auditor\.example\/w1 answers/);
  await writeFile(policy, `${peer.line.replace(/:\d+$/, `:${await freePort()}`)}\nquorum none\n`);
  expect((await check({ LEDGER_POLICY_FILE: policy }))['witness']).toMatch(/^wrong: .*: nothing listens there$/);
  await rm(policy);
});

test('an identity service that is not there is told by its id', async () => {
  const service = { id: 'bank', name: 'Bank', issuer: 'http://127.0.0.1:9', clientId: 'portal', clientSecret: 'canary-word' };
  expect((await check({ IDENTITY_SERVICES: JSON.stringify([service]) }))['identity service']).toBe('wrong: bank: nothing listens there');
});

test('addresses that may hold a secret are reached and not printed', async () => {
  const given = { SMS_URL: 'http://127.0.0.1:9/canary-word', RECEIVED_WEBHOOK_URL: 'http://127.0.0.1:9/canary-word' };
  const text = printedOutcomes(
    await checkSettings({
      ...environment,
      ...given,
      SMS_BODY: '{"to":"{{to}}","text":"{{text}}"}',
      RECEIVED_WEBHOOK_SECRET: 'x'.repeat(40),
    }),
  );
  expect(text).toMatch(/^wrong +SMS gateway +SMS_URL: nothing listens there$/m);
  expect(text).toMatch(/^wrong +webhook +RECEIVED_WEBHOOK_URL: nothing listens there$/m);
  expect(text).not.toContain('canary-word');
});

describe('a database', () => {
  test('that is not there is told, and nothing is said of what would have been compared with it', async () => {
    const found = await check({ DATABASE_URL: 'postgres://portal:canary-word@127.0.0.1:9/portal' });
    expect(found['database']).toBe('wrong: DATABASE_URL: nothing listens there');
    expect(found['objects']).toMatch(/^not tried: /);
    expect(found['ledger key']).toMatch(/^not tried: /);
    expect(found['contents']).toBeUndefined();
  });

  test('of a later version is told', async () => {
    await portal.owner.pool.query(`insert into kysely_migration (name, timestamp) values ('9999-later', now()::text)`);
    try {
      expect((await check())['database']).toMatch(/^wrong: The database is newer than this Pergamin/);
    } finally {
      await portal.owner.pool.query(`delete from kysely_migration where name = '9999-later'`);
    }
  });

  test('whose role may do too much is told as something to look at', async () => {
    await portal.owner.pool.query('grant truncate on publication to pergamin_portal');
    try {
      expect((await check())['database role']).toMatch(/^warning: pergamin_portal may empty 1 tables, publication among them: /);
    } finally {
      await portal.owner.pool.query('revoke truncate on publication from pergamin_portal');
    }
  });
});

test('a key that opens nothing here, and the folder of other objects, are told', async () => {
  const key = join(portal.settings.dataDir, 'other.key');
  await writeFile(key, `pergamin encryption key v1\n1 ${Buffer.alloc(32, 7).toString('base64')}\n`);
  const found = await check({ ENCRYPTION_KEY_FILE: key, DATA_DIR: join(portal.settings.dataDir, 'elsewhere') });
  expect(found['encryption key']).toMatch(/^wrong: ENCRYPTION_KEY_FILE: the key 1 of .* is not the one/);
  expect(found['objects']).toMatch(/^wrong: DATA_DIR: .* is not the folder of objects that the database knows/);
  await rm(key);
});

test.each([
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['ENOTFOUND', 'its name is not known to DNS'],
  ['ECONNREFUSED', 'nothing listens there'],
])('the error %s is told in words', (code, words) => {
  expect(reasonOf(new TypeError('fetch failed', { cause: Object.assign(new Error('canary-word'), { code }) }))).toBe(words);
});

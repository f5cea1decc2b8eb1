import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createKeyRegister, type KeyRegister } from './key-register.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let portal: TestPortal;
let register: KeyRegister;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { PUBLISH_CALLS_PER_MINUTE: '60' } });
  register = createKeyRegister(portal.db, { clock: portal.clock, by: 'anna', timeZone: 'Europe/Warsaw' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const issue = (expires?: string) => register.issue({ name: 'NIGHT', scopes: ['received:read'], expires });

const use = async (key: string, name: 'listReceived' | 'removeDemo' = 'listReceived') => {
  const { status, error, headers } = await portal.anonymous.call(name, {}, { authorization: `Bearer ${key}` });
  return { status, code: error?.code, fields: error?.fields, retryAfter: headers['retry-after'] };
};

const statusOf = async (key: string): Promise<number> => (await use(key)).status;

const get = async (id: string) => {
  const found = (await register.list()).find((key) => key.id === id);
  if (found === undefined) throw new Error('the key is not listed');
  return found;
};

const inMs = (ms: number): string => new Date(portal.clock.now().getTime() + ms).toISOString();

describe('the end of a publisher’s key', () => {
  test('a key works until the moment it expires, and then its holder is told that it has expired', async () => {
    const { key, id } = await issue(inMs(hourMs));
    expect(await statusOf(key)).toBe(200);
    portal.clock.advance(hourMs);
    const [expired, unknown] = [await use(key), await use(`pk_${'a'.repeat(43)}`)];
    expect(expired).toMatchObject({ status: 401, code: 'ACCESS_DENIED', fields: { key: 'it has expired' } });
    expect(unknown).toMatchObject({ status: 401, code: 'ACCESS_DENIED', fields: { key: 'this portal does not know it' } });
    expect((await get(id)).revokedAt).toBeNull();
  });

  test('a key that was used a moment ago is refused at the first call after its revocation', async () => {
    const { key, id } = await issue();
    expect(await statusOf(key)).toBe(200);
    await register.revoke(id);
    expect(await use(key)).toMatchObject({ status: 401, code: 'ACCESS_DENIED' });
    expect(await get(id)).toMatchObject({ revokedBy: 'anna' });
  });

  test('a statute that is under way when its key is revoked is not published', async () => {
    const { key } = await register.issue({ name: 'NIGHT', scopes: ['statutes:publish'], expires: inMs(hourMs) });
    const locking = await portal.owner.pool.connect();
    const form = new FormData();
    form.set('description', JSON.stringify({ version: 'under way' }));
    form.set('file', new Blob([Uint8Array.from(aPdf())], { type: 'application/pdf' }), 'a.pdf');
    try {
      await locking.query('begin; lock table publisher_key in exclusive mode');
      const publishing = portal.anonymous.call('publishStatute', { form }, { authorization: `Bearer ${key}` });
      await expect.poll(countWaiting, { timeout: 15_000 }).toBe(1);
      await locking.query(`update publisher_key set revoked_at = now() where name = 'NIGHT'; commit`);
      expect((await publishing).error?.code).toBe('ACCESS_DENIED');
    } finally {
      locking.release();
    }
    expect((await portal.pool.query(`select from statute where version = 'under way'`)).rowCount).toBe(0);
  });
});

const countWaiting = async (): Promise<number | null> => {
  const { rowCount } = await portal.owner.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%publisher_key%'`,
  );
  return rowCount;
};

test('a publication that begins while a revocation waits for another one waits behind it, and is refused', async () => {
  await portal.addClient('1001', { cif: '7001' });
  const { key, id } = await register.issue({ name: 'BUSY', scopes: ['documents:publish'] });
  const form = new FormData();
  form.set('description', JSON.stringify({ type: 'PRIVATE', cif: '7001', fileName: 'Umowa.pdf', metadata: {} }));
  form.set('file', new Blob([Uint8Array.from(aPdf())], { type: 'application/pdf' }), 'a.pdf');
  const underWay = await portal.owner.pool.connect();
  try {
    await underWay.query('begin');
    await underWay.query('select from publisher_key where id = $1 for share', [id]);
    const revoked = register.revoke(id);
    await expect.poll(countWaiting, { timeout: 15_000 }).toBe(1);
    const publishing = portal.anonymous.call('publishDocument', { form }, { authorization: `Bearer ${key}` });
    await expect.poll(countWaiting, { timeout: 15_000 }).toBe(2);
    await underWay.query('commit');
    await revoked;
    expect((await publishing).error?.code).toBe('ACCESS_DENIED');
  } finally {
    underWay.release();
  }
  expect((await portal.pool.query('select from document')).rowCount).toBe(0);
});

test('the last use of a key is written once a minute, whatever is called', async () => {
  const { key, id } = await issue();
  expect((await get(id)).lastUsedAt).toBeNull();
  await statusOf(key);
  const first = (await get(id)).lastUsedAt;
  expect(first).not.toBeNull();
  portal.clock.advance(30_000);
  expect((await use(key, 'removeDemo')).status).toBe(403);
  expect((await get(id)).lastUsedAt).toEqual(first);
  portal.clock.advance(30_000);
  await statusOf(key);
  expect((await get(id)).lastUsedAt?.getTime()).toBeGreaterThanOrEqual((first?.getTime() ?? 0) + 60_000);
});

test('a key that calls more often than the setting says is answered 429 with Retry-After, and others go on', async () => {
  const [busy, other] = [await issue(), await issue()];
  const answers = await Promise.all(Array.from({ length: 200 }, () => use(busy.key)));
  const refused = answers.filter(({ status }) => status !== 200);
  // A call a second is paid for while they are answered.
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(60);
  expect(refused[0]).toMatchObject({ status: 429, code: 'CALL_NOT_PERMITTED', retryAfter: expect.anything() });
  expect(await statusOf(other.key)).toBe(200);
});

describe('a refused key', () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });

  test('is counted by its reason and told in the log with the key’s id, never with the key', async () => {
    await using own = await startTestPortal({ log });
    const keys = createKeyRegister(own.db, { clock: own.clock, by: 'anna', timeZone: 'UTC' });
    const revoked = await keys.issue({ name: 'REVOKED', scopes: ['received:read'] });
    const expired = await keys.issue({ name: 'EXPIRED', scopes: ['received:read'], expires: new Date(Date.now() + dayMs).toISOString() });
    const narrow = await keys.issue({ name: 'NARROW', scopes: ['notices:read'] });
    await keys.revoke(revoked.id);
    own.clock.advance(dayMs);
    const unknown = `pk_${'b'.repeat(43)}`;
    lines.length = 0;
    for (const key of [revoked.key, expired.key, narrow.key, unknown, 'nonsense'])
      await own.anonymous.call('listReceived', {}, { authorization: `Bearer ${key}` });
    expect(lines.filter(({ msg }) => msg === 'publisher key refused')).toMatchObject([
      { reason: 'revoked', keyId: revoked.id, address: '127.0.0.1' },
      { reason: 'expired', keyId: expired.id },
      { reason: 'without the scope of the call', keyId: narrow.id, call: 'listReceived' },
      { reason: 'unknown', address: '127.0.0.1' },
      { reason: 'missing or malformed' },
    ]);
    const told = JSON.stringify(lines);
    for (const { key } of [revoked, expired, narrow, { key: unknown }]) expect(told).not.toContain(key.slice(3, 20));
    const metrics = await own.metrics.registry.metrics();
    for (const reason of ['revoked', 'expired', 'scope', 'unknown', 'missing'])
      expect(metrics).toContain(`pergamin_publisher_keys_refused_total{reason="${reason}"} 1`);
  });
});

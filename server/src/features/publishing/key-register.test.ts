import { publisherScopes } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createKeyRegister, type KeyRegister } from './key-register.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let portal: TestPortal;
let register: KeyRegister;

beforeAll(async () => {
  portal = await startTestPortal();
  register = createKeyRegister(portal.db, { clock: portal.clock, by: 'anna', timeZone: 'Europe/Warsaw' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const issue = (expires?: string) => register.issue({ name: 'NIGHT', scopes: ['received:read', 'notices:read'], expires });

const statusOf = async (key: string): Promise<number> =>
  (await portal.anonymous.call('listReceived', {}, { authorization: `Bearer ${key}` })).status;

const get = async (id: string) => {
  const found = (await register.list()).find((key) => key.id === id);
  if (found === undefined) throw new Error('the key is not listed');
  return found;
};

describe('an issued key', () => {
  test('is kept as a hash and its beginning, with who issued it', async () => {
    const { key, id } = await issue();
    const { rows } = await portal.pool.query(`select k::text as row from publisher_key k where id = $1`, [id]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(9));
    expect(await get(id)).toMatchObject({ name: 'NIGHT', start: key.slice(0, 9), issuedBy: 'anna', revokedAt: null, expiresAt: null });
    expect(await statusOf(key)).toBe(200);
  });

  test.each([
    ['2027-01-31', '2027-01-31T23:00:00.000Z'],
    // The clocks change in the night before, and in the night after.
    ['2027-03-28', '2027-03-28T22:00:00.000Z'],
    ['2027-10-30', '2027-10-30T22:00:00.000Z'],
    ['2027-10-31', '2027-10-31T23:00:00.000Z'],
    ['2027-01-31T12:00:00+01:00', '2027-01-31T11:00:00.000Z'],
  ])('expires %s at the end of that day in the organisation’s time zone, or at that moment', async (expires, at) => {
    expect((await issue(expires)).expiresAt?.toISOString()).toBe(at);
  });

  test.each([
    [{ expires: '2027-02-30' }, 'there is no day or moment 2027-02-30'],
    [{ expires: '2027-01-31T12:00:00' }, 'there is no day or moment'],
    [{ expires: '2020-01-31' }, 'the key would have expired already'],
    [{ name: '' }, 'a name has 1 to 64 characters'],
    [{ name: 'NIGHT\nDAY' }, 'a name has 1 to 64 characters'],
    [{ name: 'first key' }, 'is the name of a key of the portal’s own'],
    [{ scopes: [] }, `a key needs a scope; these there are: ${publisherScopes.join(', ')}`],
    [{ scopes: ['received:read', 'documents:write'] }, `there is no scope documents:write; these there are: ${publisherScopes.join(', ')}`],
  ])('is refused with %j, and nothing is kept', async (wrong, sentence) => {
    const before = (await register.list()).length;
    await expect(register.issue({ name: 'NIGHT', scopes: ['received:read'], ...wrong })).rejects.toThrow(sentence);
    expect(await register.list()).toHaveLength(before);
  });
});

describe('a rotated key', () => {
  test('works beside its successor until the overlap is over, and names it', async () => {
    const former = await issue();
    const { successor, formerEndsAt } = await register.rotate(former.id, hourMs);
    expect(successor).toMatchObject({ name: 'NIGHT', scopes: former.scopes, expiresAt: null });
    expect(await get(former.id)).toMatchObject({ replacedBy: successor.id, expiresAt: formerEndsAt });
    expect([await statusOf(former.key), await statusOf(successor.key)]).toEqual([200, 200]);
    portal.clock.advance(hourMs);
    expect([await statusOf(former.key), await statusOf(successor.key)]).toEqual([401, 200]);
  });

  test('gives its successor as long a life as its own, and never lives longer itself', async () => {
    const former = await issue(new Date(portal.clock.now().getTime() + dayMs).toISOString());
    const { issuedAt, expiresAt } = await get(former.id);
    portal.clock.advance(hourMs);
    const { successor, formerEndsAt } = await register.rotate(former.id, 7 * dayMs);
    expect(formerEndsAt).toEqual(former.expiresAt);
    const life = (await get(successor.id)).issuedAt;
    const lifeMs = (successor.expiresAt?.getTime() ?? 0) - life.getTime();
    const formerLifeMs = (expiresAt?.getTime() ?? 0) - issuedAt.getTime();
    // The successor is written a moment after its life was counted.
    expect(Math.abs(lifeMs - formerLifeMs)).toBeLessThan(60_000);
  });

  test('with no overlap ends at once', async () => {
    const former = await issue();
    const { successor } = await register.rotate(former.id, 0);
    expect([await statusOf(former.key), await statusOf(successor.key)]).toEqual([401, 200]);
  });

  test('cannot be rotated again: it has one successor, also when two operators rotate it at once', async () => {
    const former = await issue();
    const both = await Promise.allSettled([register.rotate(former.id, hourMs), register.rotate(former.id, hourMs)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(register.rotate(former.id, hourMs)).rejects.toThrow(`the key ${former.id} of NIGHT was rotated before: its successor is `);
  });

  test('has to work: one that has expired or was revoked is not rotated', async () => {
    const expired = await issue(new Date(portal.clock.now().getTime() + hourMs).toISOString());
    portal.clock.advance(hourMs);
    await expect(register.rotate(expired.id, hourMs)).rejects.toThrow(`the key ${expired.id} of NIGHT has expired`);
    const revoked = await issue();
    await register.revoke(revoked.id);
    await expect(register.rotate(revoked.id, hourMs)).rejects.toThrow(`the key ${revoked.id} of NIGHT is revoked`);
  });
});

test('a key is revoked once, and the one who did so stays on record', async () => {
  const { id } = await issue();
  await register.revoke(id);
  await expect(register.revoke(id)).rejects.toThrow(`the key ${id} of NIGHT is revoked already`);
  expect(await get(id)).toMatchObject({ revokedBy: 'anna' });
});

test.each(['NIGHT', '0'.repeat(36), '00000000-0000-4000-8000-000000000000'])('there is no key %s to rotate or revoke', async (id) => {
  await expect(register.rotate(id, hourMs)).rejects.toThrow(`there is no key ${id}`);
  await expect(register.revoke(id)).rejects.toThrow(`there is no key ${id}`);
});

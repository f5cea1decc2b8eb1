import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { markAllTerms, readAndAccept } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** A version of the terms that the organisation takes back before it takes effect (C3). */

const minuteMs = 60_000;

let portal: TestPortal;
let client: TestClient;
let present: { id: string; version: string };

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Each test begins with one version in force, which a client of their own has accepted, and none ahead. */
let people = 8_000;
let versions = 0;
beforeEach(async () => {
  portal.clock.advance(20 * minuteMs);
  client = await portal.signIn(String((people += 1)));
  present = await publish(0);
  await accept(present.id);
});

const draft = (inMinutes: number) => {
  const version = `3.${(versions += 1)}`;
  return { version, pdf: aPdf({ text: version }), effectiveFrom: portal.clock.now().getTime() + inMinutes * minuteMs };
};
const publish = async (inMinutes: number) => (await portal.publishStatute(draft(inMinutes))).body;
const accept = (id: string) => readAndAccept(client, id);
/** Of a version that was read before. */
const acceptRead = (id: string) => client.call('acceptStatute', { params: { id } });
const withdraw = (version: string, reason = 'Błąd w § 4') => portal.publisher.call('withdrawStatute', { body: { version, reason } });
const tell = async () => (await client.call('getStatuteInForce', {})).body;
const isLetIn = async () => (await client.call('listOwnDocuments', { body: {} })).status === 200;
const pass = (minutes: number) => portal.clock.advance(minutes * minuteMs);
const kept = async (version: string) => (await portal.publisher.call('listStatutes', {})).body.items.find((one) => one.version === version);
/** Until the test ends the portal's clock says this moment. */
const standingClock = (epochMs: number) => {
  const running = portal.clock.now.bind(portal.clock);
  const set = (moment: number): void => void (portal.clock.now = () => new Date(moment));
  set(epochMs);
  return { set, [Symbol.dispose]: () => void (portal.clock.now = running) };
};
const codeOf = ({ status, error }: Awaited<ReturnType<typeof withdraw>> | Awaited<ReturnType<typeof accept>>) => [status, error?.code];

describe('a version that is withdrawn before its day', () => {
  test('is told no more, can be neither marked nor accepted, and does not come into force', async () => {
    const { id, version } = await publish(4);
    expect((await tell()).upcoming?.id).toBe(id);
    expect((await withdraw(version)).body).toEqual({ id, version, changed: true });
    expect(await tell()).not.toHaveProperty('upcoming');
    expect(codeOf(await accept(id))).toEqual([409, 'INVALID_STATUS']);
    expect((await client.call('markStatutePage', { params: { id, page: '1' } })).error?.code).toBe('INVALID_STATUS');
    pass(5);
    expect([await isLetIn(), (await tell()).id]).toEqual([true, present.id]);
  });

  test('makes room for the next one ahead', async () => {
    const [near, far] = [await publish(4), await publish(8)];
    await withdraw(near.version);
    expect((await tell()).upcoming?.id).toBe(far.id);
  });

  test('keeps its text, and who withdrew it, when and why; withdrawn again, it stays so', async () => {
    const { id, version, sha256 } = await publish(4);
    await withdraw(version);
    expect((await withdraw(version, 'another reason')).body).toEqual({ id, version, changed: false });
    expect(await kept(version)).toMatchObject({
      id,
      sha256,
      state: 'WITHDRAWN',
      acceptances: 0,
      withdrawn: { keyName: 'tests', reason: 'Błąd w § 4' },
    });
    expect((await portal.anonymous.call('downloadStatute', { params: { id } })).status).toBe(200);
    const { db } = portal.owner;
    await expect(db.deleteFrom('statute_withdrawal').execute()).rejects.toThrow('insert-only');
    await expect(db.updateTable('statute_withdrawal').set({ reason: '' }).execute()).rejects.toThrow('insert-only');
  });

  test('leaves its name to no other text, not even to its own again', async () => {
    const first = draft(4);
    await portal.publishStatute(first);
    await withdraw(first.version);
    for (const pdf of [first.pdf, aPdf({ text: 'others' })]) {
      const again = await portal.publishStatute({ ...first, pdf });
      expect([again.status, again.error?.code, Object.keys(again.error?.fields ?? {})]).toEqual([409, 'RESOURCE_DUPLICATE', ['version']]);
    }
  });
});

describe('a withdrawal is refused', () => {
  test('once the moment of the version has come, to the millisecond', async () => {
    const { version, effectiveFrom } = await publish(4);
    using clock = standingClock(effectiveFrom);
    expect(codeOf(await withdraw(version))).toEqual([409, 'INVALID_STATUS']);
    clock.set(effectiveFrom - 1);
    expect((await withdraw(version)).status).toBe(200);
    clock.set(effectiveFrom);
    expect((await tell()).id).toBe(present.id);
  });

  test('for the version in force, one of the past, one that a client has accepted, and an unknown one', async () => {
    const accepted = await publish(4);
    await accept(accepted.id);
    const past = present.version;
    const current = await publish(0);
    for (const version of [past, current.version, accepted.version])
      expect(codeOf(await withdraw(version))).toEqual([409, 'INVALID_STATUS']);
    expect(codeOf(await withdraw('none'))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect((await Promise.all([past, current.version, accepted.version].map(kept))).map((one) => [one?.state, one?.acceptances])).toEqual([
      ['PAST', 1],
      ['IN_FORCE', 0],
      ['UPCOMING', 1],
    ]);
  });
});

test('of a withdrawal and an acceptance at once exactly one holds', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { id, version } = await publish(4);
    await markAllTerms(client, id);
    const both = await Promise.all(round % 2 === 0 ? [withdraw(version), acceptRead(id)] : [acceptRead(id), withdraw(version)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([expect.any(Number), 409]);
    const one = await kept(version);
    expect(one?.withdrawn === null).toBe(one?.acceptances === 1);
    // The next round is about a version of its own.
    pass(5);
    if (one?.acceptances === 1) await accept(id);
    else await accept(present.id);
  }
});

test('an acceptance that waits for a withdrawal under way is refused when that is committed', async () => {
  const { id, version } = await publish(4);
  await markAllTerms(client, id);
  const blocker = await portal.owner.db.startTransaction().execute();
  await blocker.selectFrom('statute').select('id').where('id', '=', id).forUpdate().execute();
  const accepting = acceptRead(id);
  await expect
    .poll(
      async () =>
        (await portal.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%key share%'`)).rowCount,
    )
    .toBe(1);
  await blocker
    .insertInto('statute_withdrawal')
    .values({ statute_id: id, withdrawn_at: new Date(), key_id: id, key_name: 'tests', reason: version })
    .execute();
  await blocker.commit().execute();
  expect(codeOf(await accepting)).toEqual([409, 'INVALID_STATUS']);
  expect((await kept(version))?.acceptances).toBe(0);
});

test('a version that another process withdraws just before its moment blocks no client, however fresh the versions known here are', async () => {
  const { id, version, effectiveFrom } = await publish(4);
  using clock = standingClock(effectiveFrom - 1_000);
  // Known here for five seconds.
  expect(await isLetIn()).toBe(true);
  await portal.owner.db
    .insertInto('statute_withdrawal')
    .values({ statute_id: id, withdrawn_at: new Date(), key_id: id, key_name: 'other process', reason: version })
    .execute();
  clock.set(effectiveFrom);
  expect(await isLetIn()).toBe(true);
});

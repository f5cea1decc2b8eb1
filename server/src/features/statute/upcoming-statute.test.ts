import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readAndAccept } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** A version of the terms that was published before it takes effect (C3). */

const minuteMs = 60_000;

let portal: TestPortal;
let client: TestClient;
let present: { id: string; version: string };

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

/** Each test begins in a world of its own: one version in force, which a client of their own has accepted, and none ahead. */
let last = 7_000;
let versions = 0;
beforeEach(async () => {
  // Past all that the tests before have published ahead.
  portal.clock.advance(20 * minuteMs);
  client = await portal.signIn(String((last += 1)));
  present = await publish();
  await accept(present.id);
});

const publish = async (ahead: { inMinutes?: number; pages?: number; changes?: string } = {}) => {
  const { inMinutes, pages = 2, changes } = ahead;
  const version = `2.${(versions += 1)}`;
  const { body } = await portal.publishStatute({
    version,
    pdf: aPdf({ text: version, pages }),
    ...(inMinutes === undefined ? {} : { effectiveFrom: portal.clock.now().getTime() + inMinutes * minuteMs }),
    ...(changes === undefined ? {} : { changes }),
  });
  return body;
};

const tell = async (asker = client) => (await asker.call('getStatuteInForce', {})).body;
const accept = (id: string, asker = client) => readAndAccept(asker, id);
const mark = (id: string, page: number, asker = client) => asker.call('markStatutePage', { params: { id, page: String(page) } });
const isLetIn = async (asker = client): Promise<boolean> => (await asker.call('listOwnDocuments', { body: {} })).status === 200;
const pass = (minutes: number) => portal.clock.advance(minutes * minuteMs);
const close = (personalId: string) =>
  portal.db.updateTable('client').set({ state: 'CLOSED' }).where('personal_id', '=', personalId).execute();
const codeOf = ({ status, error }: Pick<Awaited<ReturnType<typeof accept>>, 'status' | 'error'>) => [status, error?.code];

describe('a version published ahead', () => {
  test('is told with its day and what changes, while the present one still applies', async () => {
    const { id, version, effectiveFrom } = await publish({ inMinutes: 4, changes: 'Dodano § 4.' });
    expect(await tell()).toMatchObject({
      id: present.id,
      accepted: true,
      upcoming: { id, version, effectiveFrom, changes: 'Dodano § 4.', accepted: false, pagesReached: [] },
    });
    expect(await isLetIn()).toBe(true);
  });

  test('is not there where none was published', async () => {
    expect(await tell()).not.toHaveProperty('upcoming');
  });

  test('is told of where no terms are in force yet', async () => {
    await using young = await startTestPortal();
    const early = await young.signIn('7999');
    const effectiveFrom = young.clock.now().getTime() + minuteMs;
    const { body } = await young.publishStatute({ version: '1', pdf: aPdf(), effectiveFrom });
    expect(await tell(early)).toMatchObject({ id: null, accepted: true, upcoming: { id: body.id, accepted: false } });
    expect((await accept(body.id, early)).status).toBe(204);
    young.clock.advance(minuteMs);
    expect(await isLetIn(early)).toBe(true);
  });
});

/** What a client may do ahead of the day, and what holds when the day has come. */
describe('when the day comes', () => {
  test.each([
    { who: 'who accepted early', does: async (id: string) => void (await accept(id)), letIn: true },
    { who: 'who postponed', does: async () => undefined, letIn: false },
    { who: 'who read it and did not accept', does: async (id: string) => void (await mark(id, 1)), letIn: false },
  ])('a client $who is let in: $letIn', async ({ does, letIn }) => {
    const { id, version } = await publish({ inMinutes: 4 });
    await does(id);
    pass(3.5);
    expect([await isLetIn(), (await tell()).id]).toEqual([true, present.id]);
    pass(0.5);
    expect(await tell()).toMatchObject({ id, version, accepted: letIn });
    expect(await tell()).not.toHaveProperty('upcoming');
    expect(await isLetIn()).toBe(letIn);
  });

  test('a session that is under way is refused with CALL_NOT_PERMITTED, and goes on once it has accepted', async () => {
    const { id } = await publish({ inMinutes: 1 });
    expect(await isLetIn()).toBe(true);
    pass(1);
    const refused = await client.call('listOwnDocuments', { body: {} });
    expect([refused.status, refused.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
    await accept(id);
    expect(await isLetIn()).toBe(true);
  });

  test('what was read of it before counts', async () => {
    const { id } = await publish({ inMinutes: 1, pages: 3 });
    for (const page of [2, 1]) expect((await mark(id, page)).status).toBe(204);
    expect((await tell()).upcoming?.pagesReached).toEqual([1, 2]);
    pass(1);
    expect((await tell()).pagesReached).toEqual([1, 2]);
  });
});

describe('an acceptance ahead of the day', () => {
  test('is kept like any: who, when, which version, its checksum; and the first one stays', async () => {
    const { id, version, sha256 } = await publish({ inMinutes: 4 });
    const before = portal.clock.now();
    await accept(id);
    pass(1);
    expect((await accept(id)).status).toBe(204);
    expect((await tell()).upcoming).toMatchObject({ id, accepted: true });
    const kept = await portal.db
      .selectFrom('statute_acceptance')
      .selectAll()
      .where('personal_id', '=', client.personalId)
      .where('statute_id', '=', id)
      .execute();
    expect(kept).toMatchObject([{ version, sha256 }]);
    expect((kept[0]?.accepted_at.getTime() ?? 0) - before.getTime()).toBeLessThan(minuteMs);
  });

  test('holds in another session, and says nothing for anybody else', async () => {
    const { id } = await publish({ inMinutes: 4 });
    const other = await portal.signIn(String((last += 1)));
    await accept(present.id, other);
    await accept(id);
    const again = await portal.signIn(client.personalId);
    expect((await tell(again)).upcoming?.accepted).toBe(true);
    expect((await tell(other)).upcoming?.accepted).toBe(false);
    pass(4);
    expect([await isLetIn(again), await isLetIn(other)]).toEqual([true, false]);
  });

  test('says nothing for the version in force: that one is asked for as ever', async () => {
    const newcomer = await portal.signIn(String((last += 1)));
    const { id } = await publish({ inMinutes: 4 });
    expect((await accept(id, newcomer)).status).toBe(204);
    expect(await isLetIn(newcomer)).toBe(false);
    expect(await tell(newcomer)).toMatchObject({ id: present.id, accepted: false, upcoming: { id, accepted: true } });
  });
});

describe('of several published ahead', () => {
  test('the nearest is told, and the next one after it', async () => {
    const far = await publish({ inMinutes: 8 });
    const near = await publish({ inMinutes: 4 });
    expect((await tell()).upcoming?.id).toBe(near.id);
    pass(4);
    expect(await tell()).toMatchObject({ id: near.id, accepted: false, upcoming: { id: far.id } });
    pass(4);
    expect(await tell()).toMatchObject({ id: far.id, accepted: false });
    expect(await tell()).not.toHaveProperty('upcoming');
  });

  test('one with the same day takes the place of the one before, whose acceptance does not hold for it', async () => {
    const first = await publish({ inMinutes: 4 });
    await accept(first.id);
    const corrected = await publish({ inMinutes: 4 });
    // The same moment, to the millisecond.
    await portal.db
      .updateTable('statute')
      .set({ effective_from: new Date(first.effectiveFrom) })
      .where('id', '=', corrected.id)
      .execute();
    expect((await tell()).upcoming).toMatchObject({ id: corrected.id, accepted: false });
    expect(codeOf(await accept(first.id))).toEqual([409, 'INVALID_STATUS']);
    pass(4);
    expect(await isLetIn()).toBe(false);
  });

  test('one that is gone is not told any more, and cannot be accepted', async () => {
    const gone = await publish({ inMinutes: 4 });
    const stays = await publish({ inMinutes: 8 });
    await portal.db.deleteFrom('statute').where('id', '=', gone.id).execute();
    expect((await tell()).upcoming?.id).toBe(stays.id);
    expect(codeOf(await accept(gone.id))).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });
});

describe('reading marks and acceptances are refused', () => {
  test.each([
    ['of a version behind the nearest one', async () => (await publish({ inMinutes: 2 }), publish({ inMinutes: 3 }))],
    ['of a version that is no longer in force', async () => ({ id: present.id, next: await publish() })],
  ])('%s', async (_which, prepare) => {
    const { id } = await prepare();
    expect(codeOf(await accept(id))).toEqual([409, 'INVALID_STATUS']);
    expect(codeOf(await mark(id, 1))).toEqual([409, 'INVALID_STATUS']);
  });

  test('reading marks and acceptances are refused without a session, though the text itself is public', async () => {
    const { id } = await publish({ inMinutes: 4 });
    expect((await portal.anonymous.call('getStatute', { params: { id } })).status).toBe(200);
    expect((await portal.anonymous.call('downloadStatute', { params: { id } })).status).toBe(200);
    expect((await readAndAccept(portal.anonymous, id)).status).toBe(401);
    expect((await portal.anonymous.call('markStatutePage', { params: { id, page: '1' } })).status).toBe(401);
  });

  test('a closed client cannot mark or accept coming terms, is not told of them and passes without accepting', async () => {
    const { id } = await publish({ inMinutes: 4 });
    await close(client.personalId);
    // A living session is remembered until the database has told of the change.
    await expect.poll(() => tell()).not.toHaveProperty('upcoming');
    expect(codeOf(await accept(id))).toEqual([409, 'INVALID_STATUS']);
    expect(codeOf(await mark(id, 1))).toEqual([409, 'INVALID_STATUS']);
    pass(4);
    expect([await isLetIn(), (await tell()).accepted]).toEqual([true, true]);
  });
});

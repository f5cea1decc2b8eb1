import { randomUUID } from 'node:crypto';
import { deliveryProof, type Publication } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { markAllPages } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The server decides what is read (F5, C5): every page was marked by this person. */

let portal: TestPortal;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { IGNORE_MARKERS: 'BAR_NUMBER' } });
  anna = await portal.signIn('4301', { cif: '9501', groups: ['dom'] });
  jan = await portal.signIn('4302', { cif: '9502', groups: ['dom'] });
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (more: Partial<Publication> = {}): Promise<string> => {
  const owner = more.type === undefined ? { cif: '9501' } : {};
  return (await portal.publish({ ...owner, pdf: aPdf({ pages: 3, text: randomUUID() }), ...more })).body.id;
};
const markPage = (client: TestClient, id: string, page: number, shown?: 'false') =>
  client.call('markPage', { params: { id, page: String(page) }, query: shown === undefined ? {} : { shown } });
const close = async (client: TestClient, id: string) => {
  const { status, error } = await client.call('markRead', { params: { id } });
  return error === undefined ? status : [status, error.code, error.fields];
};
const refusal = (pages: string) => [409, 'INVALID_STATUS', { pages }];
const eventsOf = async (client: TestClient, id: string) =>
  (await client.call('getDocumentHistory', { params: { id } })).body.items.map(({ event }) => event).filter((event) => event !== 'OPENED');
const readOf = async (client: TestClient, id: string) => (await client.call('getDocument', { params: { id } })).body.read;
const isUnread = async (client: TestClient, id: string): Promise<boolean> => {
  const { items } = (await client.call('listOwnDocuments', { body: { criteria: { unread: true }, size: 100 } })).body;
  return items.some((item) => item.id === id);
};
const reportedUnread = async (id: string): Promise<string[]> =>
  (await portal.publisher.call('listUnopened', { query: { only: 'unread' } })).body.items
    .filter(({ documentId }) => documentId === id)
    .map(({ personalId }) => personalId);
const proofOf = async (id: string, personalId: string) => {
  const { bytes } = await portal.publisher.call('exportDeliveries', { query: { document: id, format: 'json' } });
  const lines = bytes.toString('utf8').trimEnd().split('\n');
  return lines.map((line) => deliveryProof.parse(JSON.parse(line))).find((proof) => proof.personalId === personalId);
};

describe('a document is closed', () => {
  test.each<[pages: number[], notShown: number[], missing: string]>([
    [[], [], '1-3'],
    [[2], [], '1, 3'],
    [[1, 2], [], '3'],
    [[1], [3], '2'],
    [[1, 2, 3], [], ''],
    [[3, 1, 2, 1], [], ''],
    [[1, 3], [2], ''],
    [[], [1, 2, 3], ''],
  ])('when the pages %j were shown and %j could not be, it lacks: %s', async (pages, notShown, missing) => {
    const id = await publish();
    for (const page of pages) await markPage(anna, id, page);
    for (const page of notShown) await markPage(anna, id, page, 'false');
    expect(await close(anna, id)).toEqual(missing === '' ? 204 : refusal(missing));
    const isRead = missing === '';
    expect([(await readOf(anna, id)) !== null, await isUnread(anna, id), await reportedUnread(id)]).toEqual([
      isRead,
      !isRead,
      isRead ? [] : ['4301'],
    ]);
    expect(await eventsOf(anna, id)).toEqual(isRead ? ['PUBLISHED', 'READ'] : ['PUBLISHED']);
    expect(await proofOf(id, '4301')).toMatchObject({ readOn: isRead ? expect.any(Number) : null, closedOn: null });
  });

  test('and the notification of it stays until it is read', async () => {
    const id = await publish();
    const isTold = async () => (await anna.call('listNotifications', {})).body.items.some(({ value }) => value === id);
    await close(anna, id);
    expect(await isTold()).toBe(true);
    await markAllPages(anna, id);
    expect([await close(anna, id), await isTold()]).toEqual([204, false]);
  });

  test.each([0, 4, 10_000, 10_001, -1, 1.5])('and a page %s that it does not have stands for none', async (page) => {
    const id = await publish();
    for (const real of [1, 2]) await markPage(anna, id, real);
    expect((await markPage(anna, id, page)).status).toBeGreaterThanOrEqual(400);
    expect(await close(anna, id)).toEqual(refusal('3'));
  });

  test('by each member of a group for themselves', async () => {
    const id = await publish({ type: 'GROUP', groupId: 'dom' });
    await markAllPages(anna, id);
    await markPage(jan, id, 1);
    expect([await close(anna, id), await close(jan, id)]).toEqual([204, refusal('2-3')]);
    expect([await readOf(anna, id), await readOf(jan, id)]).toEqual([expect.any(Number), null]);
    expect(await reportedUnread(id)).toEqual(['4302']);
  });

  test('by each of two owners for themselves', async () => {
    const id = await publish({ cif2: '9502' });
    await markAllPages(jan, id);
    expect([await close(anna, id), await close(jan, id)]).toEqual([refusal('1-3'), 204]);
  });

  test('and is public: each person for themselves', async () => {
    const id = await publish({ type: 'PUBLIC' });
    await markAllPages(anna, id);
    expect([await close(anna, id), await close(jan, id)]).toEqual([204, refusal('1-3')]);
  });

  test('and is another’s: it does not exist, whatever its owner has marked', async () => {
    const id = await publish();
    await markAllPages(anna, id);
    expect(await close(jan, id)).toEqual([404, 'DOCUMENT_NOT_FOUND_ERROR', undefined]);
  });

  test('and is cancelled: as any other; and is deleted: it does not exist', async () => {
    const id = await publish();
    const change = (state: 'CANCELLED' | 'DELETED') =>
      portal.publisher.call('changeDocumentState', { params: { id }, body: { state, reason: 'a test' } });
    await change('CANCELLED');
    expect(await close(anna, id)).toEqual(refusal('1-3'));
    await markAllPages(anna, id);
    expect(await close(anna, id)).toBe(204);
    await change('DELETED');
    expect(await close(anna, id)).toEqual([404, 'DOCUMENT_NOT_FOUND_ERROR', undefined]);
  });

  test('and is one that is downloaded instead of shown: the download is its word, and no reading', async () => {
    const id = await publish({ metadata: { BAR_NUMBER: '77' } });
    await anna.call('downloadDocument', { params: { id } });
    expect(await close(anna, id)).toEqual(refusal('1-3'));
    expect([await eventsOf(anna, id), await readOf(anna, id)]).toEqual([['PUBLISHED', 'DOWNLOADED'], null]);
    expect(await proofOf(id, '4301')).toMatchObject({ readOn: null, downloadedOn: expect.any(Number) });
  });

  test('ten times at once, with its last page: it is read once, and no answer says otherwise', async () => {
    const id = await publish();
    for (const page of [1, 2]) await markPage(anna, id, page);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => close(anna, id)),
      markPage(anna, id, 3).then(({ status }) => status),
      ...Array.from({ length: 5 }, () => close(anna, id)),
    ]);
    const [refused, done] = [answers.filter(Array.isArray), answers.filter((answer) => answer === 204)];
    expect(refused.length + done.length).toBe(11);
    for (const answer of refused) expect(answer).toEqual(refusal('3'));
    const isRead = (await readOf(anna, id)) !== null;
    // One of them is the page.
    expect(isRead).toBe(done.length > 1);
    expect(await close(anna, id)).toBe(204);
    const read = await readOf(anna, id);
    await Promise.all(Array.from({ length: 5 }, () => close(anna, id)));
    expect(await readOf(anna, id)).toBe(read);
  });
});

describe('a reading that an earlier release recorded without all pages', () => {
  const recorded = async (pages: number[]): Promise<string> => {
    const id = await publish();
    await sql`insert into document_mark (personal_id, document_id, opened_at, read_at, pages)
      values ('4301', ${id}::uuid, now(), now() - interval '1 day', ${pages}::int[])`.execute(portal.owner.db);
    return id;
  };

  test.each([[[]], [[2]], [[1, 2]]])('with the pages %j is told as a closing, and nowhere as read', async (pages) => {
    const id = await recorded(pages);
    expect(await eventsOf(anna, id)).toEqual(['CLOSED', 'PUBLISHED']);
    expect([await readOf(anna, id), await isUnread(anna, id), await reportedUnread(id)]).toEqual([null, true, ['4301']]);
    expect(await proofOf(id, '4301')).toMatchObject({ readOn: null, closedOn: expect.any(Number) });
    const { items } = (await anna.call('listOwnDocuments', { body: { size: 100 } })).body;
    expect(items.find((item) => item.id === id)?.read).toBeNull();
    expect(await close(anna, id)).toMatchObject([409, 'INVALID_STATUS', {}]);
  });

  test('becomes one when its last page is reached, and with that time', async () => {
    const id = await recorded([1, 2]);
    const before = portal.clock.now().getTime();
    await markPage(anna, id, 3);
    expect(await close(anna, id)).toBe(204);
    expect(await readOf(anna, id)).toBeGreaterThanOrEqual(before);
    expect([await eventsOf(anna, id), await isUnread(anna, id), await reportedUnread(id)]).toEqual([['PUBLISHED', 'READ'], false, []]);
    const proof = await proofOf(id, '4301');
    expect([proof?.readOn, proof?.closedOn]).toEqual([await readOf(anna, id), null]);
  });

  test('keeps a page that could not be shown as such, when it is reached later', async () => {
    const id = await recorded([1, 2]);
    await markPage(anna, id, 3, 'false');
    expect(await proofOf(id, '4301')).toMatchObject({ pagesNotShown: [3], readOn: expect.any(Number) });
  });

  test('with all pages is one', async () => {
    const id = await recorded([1, 2, 3]);
    expect([await close(anna, id), (await readOf(anna, id)) !== null, await isUnread(anna, id)]).toEqual([204, true, false]);
  });
});

describe('an opening is recorded', () => {
  const openedOn = async (id: string) => (await proofOf(id, '4301'))?.openedOn ?? null;

  test.each([
    ['alone', {}],
    ['with the width of its pages', { width: '1240' }],
    ['with a page', { width: '1240', page: '2' }],
    ['with a page that it does not have', { width: '1240', page: '9' }],
  ])('when it is asked for %s', async (_how, query) => {
    const id = await publish();
    expect((await anna.call('checkDocument', { params: { id }, query: { opening: 'true', ...query } })).body.status).toBe('SHA_CIF_OK');
    expect(await openedOn(id)).toBeTypeOf('number');
  });

  test('and not when a check alone is asked for, nor when the portal withheld the document', async () => {
    const [checked, damaged] = [await publish(), await publish()];
    await anna.call('checkDocument', { params: { id: checked }, query: {} });
    await sql`update document set sha256 = ${'a'.repeat(64)} where id = ${damaged}::uuid`.execute(portal.owner.db);
    await anna.call('checkDocument', { params: { id: damaged }, query: { opening: 'true' } });
    expect([await openedOn(checked), await openedOn(damaged)]).toEqual([null, null]);
  });
});

describe('the terms are accepted', () => {
  const publishTerms = async (aheadMs = 0) => {
    const effectiveFrom = portal.clock.now().getTime() + aheadMs;
    const { body } = await portal.publishStatute({ version: randomUUID(), pdf: aPdf({ pages: 3, text: randomUUID() }), effectiveFrom });
    return body.id;
  };
  const mark = (client: TestClient, id: string, page: number, shown?: 'false') =>
    client.call('markStatutePage', { params: { id, page: String(page) }, query: shown === undefined ? {} : { shown } });
  const accept = async (client: TestClient, id: string) => {
    const { status, error } = await client.call('acceptStatute', { params: { id } });
    return error === undefined ? status : [status, error.code, error.fields];
  };
  const acceptances = async (id: string) =>
    (await portal.db.selectFrom('statute_acceptance').select('personal_id').where('statute_id', '=', id).execute()).length;

  test.each<[pages: number[], notShown: number[], missing: string]>([
    [[], [], '1-3'],
    [[2], [], '1, 3'],
    [[1, 2], [], '3'],
    [[1, 3], [2], ''],
    [[1, 2, 3], [], ''],
  ])('when the pages %j were shown and %j could not be, it lacks: %s', async (pages, notShown, missing) => {
    const reader = await portal.signIn(`44${pages.length}${notShown.length}${missing.length}`);
    const id = await publishTerms();
    for (const page of pages) await mark(reader, id, page);
    for (const page of notShown) await mark(reader, id, page, 'false');
    expect(await accept(reader, id)).toEqual(missing === '' ? 204 : refusal(missing));
    expect(await acceptances(id)).toBe(missing === '' ? 1 : 0);
    // What was accepted is let in, and nobody else.
    expect((await reader.call('listOwnDocuments', { body: {} })).status).toBe(missing === '' ? 200 : 403);
  });

  test('by each person for themselves, also those that are published ahead, and of each version its own pages', async () => {
    const inForce = await publishTerms();
    const ahead = await publishTerms(60_000);
    for (const page of [1, 2, 3]) await mark(anna, inForce, page);
    expect([await accept(jan, inForce), await accept(anna, ahead), await accept(anna, inForce)]).toEqual([
      refusal('1-3'),
      refusal('1-3'),
      204,
    ]);
    for (const page of [1, 2, 3]) await mark(anna, ahead, page);
    expect([await accept(anna, ahead), await accept(anna, ahead), await acceptances(ahead)]).toEqual([204, 204, 1]);
    expect((await mark(anna, ahead, 4)).status).toBe(404);
  });

  test('with the last page at once: as one after the other', async () => {
    const id = await publishTerms();
    for (const page of [1, 2]) await mark(jan, id, page);
    const answers = await Promise.all([accept(jan, id), mark(jan, id, 3), accept(jan, id)]);
    const accepted = [answers[0], answers[2]].filter((answer) => answer === 204).length;
    expect(await acceptances(id)).toBe(Math.min(accepted, 1));
    expect(await accept(jan, id)).toBe(204);
  });

  test('once: what was accepted before every page was asked for stays accepted', async () => {
    const id = await publishTerms();
    await sql`insert into statute_acceptance (personal_id, statute_id, version, sha256) select '4302', id, version, sha256 from statute where id = ${id}::uuid`.execute(
      portal.owner.db,
    );
    expect([await accept(jan, id), (await jan.call('listOwnDocuments', { body: {} })).status]).toEqual([204, 200]);
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { viewerLimits } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { readAndAccept } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

/** Each test has a client of its own, and publishes versions that come into force after those of the tests before it. */
let last = 5_000;
let versions = 0;
beforeEach(async () => {
  portal.clock.advance(10);
  client = await portal.signIn(String((last += 1)));
});

const aVersion = (): string => `1.${(versions += 1)}`;

const publish = async (
  statute: { effectiveFrom?: number; pages?: number } = {},
): Promise<{ id: string; version: string; sha256: string }> => {
  const { pages = 2, ...when } = statute;
  const version = aVersion();
  return (await portal.publishStatute({ version, pdf: aPdf({ text: version, pages }), ...when })).body;
};

const inForce = async (asker = client) => (await asker.call('getStatuteInForce', {})).body;
const listDocuments = (asker = client) => asker.call('listOwnDocuments', { body: {} });
const accept = (id: string, asker = client) => readAndAccept(asker, id);

describe('without a statute in force', () => {
  test('nothing is blocked without a statute in force', async () => {
    expect(await inForce()).toEqual({ id: null, version: null, effectiveFrom: null, accepted: true, pagesReached: [] });
    expect((await listDocuments()).status).toBe(200);
  });
});

describe('until the version in force is accepted', () => {
  test('document calls are refused, and then they are not', async () => {
    const { id, version } = await publish();
    expect(await inForce()).toMatchObject({ id, version, accepted: false });
    const refused = await listDocuments();
    expect([refused.status, refused.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
    expect((await client.call('downloadDocument', { params: { id: randomUUID() } })).status).toBe(403);
    expect((await accept(id)).status).toBe(204);
    expect((await listDocuments()).status).toBe(200);
    expect(await inForce()).toMatchObject({ id, accepted: true });
  });

  test('everything that accepting needs is allowed', async () => {
    const { id } = await publish();
    expect((await client.call('getSelf', {})).status).toBe(200);
    expect((await client.call('markStatutePage', { params: { id, page: '1' } })).status).toBe(204);
    expect((await portal.anonymous.call('getStatute', { params: { id } })).status).toBe(200);
  });

  test('a new person with the id of a removed one who had accepted is allowed nothing', async () => {
    const { id } = await publish();
    await accept(id);
    expect((await listDocuments()).status).toBe(200);
    await portal.owner.db.transaction().execute(async (trx) => {
      // As if they had come with the demonstration.
      await sql`set local session_replication_role = replica`.execute(trx);
      await trx.updateTable('client').set({ demo: true }).where('personal_id', '=', client.personalId).execute();
      await sql`set local session_replication_role = origin`.execute(trx);
      await sql`set local pergamin.removing_demo = 'on'`.execute(trx);
      await trx.deleteFrom('statute_acceptance').where('personal_id', '=', client.personalId).execute();
      await trx.deleteFrom('client').where('personal_id', '=', client.personalId).execute();
    });
    const successor = await portal.signIn(client.personalId);
    expect((await listDocuments(successor)).status).toBe(403);
    expect(await inForce(successor)).toMatchObject({ id, accepted: false });
  });

  test('after one client’s acceptance another one is still asked', async () => {
    const { id } = await publish();
    const other = await portal.signIn('6001');
    await accept(id);
    expect((await listDocuments(other)).status).toBe(403);
  });

  test('a closed client is never asked', async () => {
    const { version } = await publish();
    await portal.db.updateTable('client').set({ state: 'CLOSED' }).where('personal_id', '=', client.personalId).execute();
    expect((await listDocuments()).status).toBe(200);
    expect(await inForce()).toMatchObject({ version, accepted: true });
  });
});

describe('a new version', () => {
  test('asks again from the moment it takes effect, and not before', async () => {
    const first = await publish();
    await accept(first.id);
    const effectiveFrom = portal.clock.now().getTime() + 60_000;
    const next = await publish({ effectiveFrom });
    expect(await inForce()).toMatchObject({ version: first.version, accepted: true });
    expect((await listDocuments()).status).toBe(200);
    portal.clock.advance(60_000);
    expect(await inForce()).toMatchObject({ id: next.id, accepted: false, effectiveFrom });
    expect((await listDocuments()).status).toBe(403);
  });

  test('cannot be accepted any more once the next one is in force', async () => {
    const first = await publish();
    const next = await publish({ effectiveFrom: portal.clock.now().getTime() + 60_000 });
    portal.clock.advance(60_000);
    const late = await accept(first.id);
    expect([late.status, late.error?.code]).toEqual([409, 'INVALID_STATUS']);
    expect((await accept(next.id)).status).toBe(204);
  });
});

describe('an acceptance', () => {
  const acceptances = () => portal.db.selectFrom('statute_acceptance').selectAll().where('personal_id', '=', client.personalId).execute();

  test('is kept with its time, version and checksum; made again, it stays the first', async () => {
    const { id, version, sha256 } = await publish();
    await Promise.all([accept(id), accept(id)]);
    const [first, ...others] = await acceptances();
    expect(first).toMatchObject({ statute_id: id, version, sha256 });
    expect(others).toEqual([]);
    portal.clock.advance(10_000);
    expect((await accept(id)).status).toBe(204);
    expect(await acceptances()).toEqual([first]);
  });

  test('cannot be changed or taken away, not even by the owner of the database', async () => {
    await accept((await publish()).id);
    const { db } = portal.owner;
    await expect(db.deleteFrom('statute_acceptance').execute()).rejects.toThrow('insert-only');
    await expect(db.updateTable('statute_acceptance').set({ version: '0' }).execute()).rejects.toThrow('insert-only');
  });

  test('an acceptance of an unknown statute is not found', async () => {
    const { status, error } = await accept(randomUUID());
    expect([status, error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });
});

describe('the text', () => {
  test('is told, shown and saved without a session', async () => {
    const version = aVersion();
    const pdf = aPdf({ text: version, pages: 2 });
    const { id } = (await portal.publishStatute({ version, pdf })).body;
    expect((await portal.anonymous.call('getStatute', { params: { id } })).body).toMatchObject({
      id,
      version,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      size: pdf.length,
      pageCount: 2,
      changes: null,
    });
    let result = (await portal.anonymous.call('getStatuteRenderResult', { params: { id }, query: {} })).body;
    while (!result.done) result = (await portal.anonymous.call('getStatuteRenderResult', { params: { id }, query: {} })).body;
    expect(result.sources.map(({ url }) => url)).toEqual([1, 2].map((page) => `/api/open/documents/statute/${id}/page/${page}?width=1240`));
    const image = await portal.anonymous.call('getStatutePageImage', { params: { id, page: '2' }, query: {} });
    expect(image.headers['content-type']).toMatch(/^image\//);
    const text = await portal.anonymous.call('getStatutePageText', { params: { id, page: '2' } });
    expect(text.body.lines).not.toEqual([]);
    const file = await portal.anonymous.call('downloadStatute', { params: { id } });
    expect(Buffer.compare(file.bytes, pdf)).toBe(0);
    expect(file.headers['content-disposition']).toContain(`filename="statute-${version}.pdf"`);
  });

  test('has its page images drawn once it is published, in every width', async () => {
    const { sha256 } = await publish({ pages: 2 });
    const all = viewerLimits.renderWidthsPx.flatMap((width) => [1, 2].map((page) => `${width}/${page}`));
    await expect.poll(() => listStoredPages(portal, sha256), { timeout: 20_000 }).toEqual(all);
  });

  test('the text of an unknown version, or a page that it does not have, is not found', async () => {
    const { id } = await publish({ pages: 1 });
    const { anonymous } = portal;
    const unknown = { id: randomUUID() };
    const answers = [
      await anonymous.call('getStatute', { params: unknown }),
      await anonymous.call('getStatuteRenderResult', { params: unknown, query: {} }),
      await anonymous.call('downloadStatute', { params: unknown }),
      await anonymous.call('getStatutePageImage', { params: { id, page: '2' }, query: {} }),
      await anonymous.call('getStatutePageText', { params: { id, page: '2' } }),
      await client.call('markStatutePage', { params: { id, page: '2' } }),
      await client.call('markStatutePage', { params: { ...unknown, page: '1' } }),
    ];
    for (const { status, error } of answers) expect([status, error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  test('has its reached pages kept once and in order', async () => {
    const { id } = await publish({ pages: 3 });
    for (const page of ['3', '1', '3']) await client.call('markStatutePage', { params: { id, page } });
    expect((await inForce()).pagesReached).toEqual([1, 3]);
  });

  test('keeps which of its pages could not be shown to a client, until they were', async () => {
    const { id } = await publish({ pages: 3 });
    const notShown = async () =>
      (await portal.db.selectFrom('statute_mark').select('pages_not_shown').where('statute_id', '=', id).executeTakeFirst())
        ?.pages_not_shown;
    for (const page of ['3', '1']) await client.call('markStatutePage', { params: { id, page }, query: { shown: 'false' } });
    expect([await notShown(), (await inForce()).pagesReached]).toEqual([[1, 3], []]);
    await client.call('markStatutePage', { params: { id, page: '3' } });
    expect([await notShown(), (await inForce()).pagesReached]).toEqual([[1], [3]]);
  });

  test('a version is published once: the same bytes again are the same statute, others are refused', async () => {
    const version = aVersion();
    const pdf = aPdf({ text: version });
    const first = (await portal.publishStatute({ version, pdf })).body;
    expect((await portal.publishStatute({ version, pdf })).body).toEqual({ ...first, repeated: true });
    const other = await portal.publishStatute({ version, pdf: aPdf({ text: 'others' }) });
    expect([other.status, other.error?.code]).toEqual([409, 'RESOURCE_DUPLICATE']);
  });
});

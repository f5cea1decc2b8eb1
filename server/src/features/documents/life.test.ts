import { randomUUID } from 'node:crypto';
import type { DocumentState, Publication } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestCaller, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The organisation cancels, deletes, holds, retains and forgets documents (R2, T4, D19). */

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { RETENTION_YEARS: 'statement=6' } });
  anna = await portal.signIn('4101', { cif: '9301', groups: ['vip'] });
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (description: Partial<Publication> = {}): Promise<string> =>
  (await portal.publish({ pdf: aPdf({ text: randomUUID() }), ...(description.type === undefined ? { cif: '9301' } : {}), ...description }))
    .body.id;
const change = (id: string, state: DocumentState, more: { reason?: string; beforeRetention?: boolean; by?: TestCaller } = {}) => {
  const { by = portal.publisher, ...rest } = more;
  return by.call('changeDocumentState', { params: { id }, body: { state, reason: 'a test', ...rest } });
};
const hold = (id: string, held: boolean) => portal.publisher.call('holdDocument', { params: { id }, body: { held, reason: 'C 12/26' } });
const retain = (id: string, until: string | -1) => portal.publisher.call('retainDocument', { params: { id }, body: { until } });
const forget = (id: string, more: { beforeRetention?: boolean } = {}) =>
  portal.publisher.call('forgetDocument', { params: { id }, body: { reason: 'art. 17', ...more } });
const lifeOf = async (id: string) => (await portal.publisher.call('getDocumentLife', { params: { id } })).body;
const refusalOf = ({ status, error }: Pick<Awaited<ReturnType<typeof change>>, 'status' | 'error'>) => [
  status,
  error?.code,
  Object.keys(error?.fields ?? {}),
];
const dayFromNow = (days: number): string => new Date(portal.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const isListed = async (id: string): Promise<boolean> =>
  (await anna.call('listOwnDocuments', { body: {} })).body.items.some((item) => item.id === id);

describe('a document that is cancelled', () => {
  test('stays in the lists, opens, downloads and checks as before, and says so', async () => {
    const id = await publish();
    expect((await change(id, 'CANCELLED')).body).toMatchObject({ id, state: 'CANCELLED', changed: true });
    const { items } = (await anna.call('listOwnDocuments', { body: {} })).body;
    expect(items.find((item) => item.id === id)).toMatchObject({ state: 'CANCELLED', metadata: { STATE: 'CANCELLED' } });
    expect((await anna.call('checkDocument', { params: { id }, query: {} })).body.status).toBe('SHA_CIF_OK');
    expect((await anna.call('downloadDocument', { params: { id } })).status).toBe(200);
    const { items: history } = (await anna.call('getDocumentHistory', { params: { id } })).body;
    expect(history.find(({ event }) => event === 'STATE_CHANGED')).toMatchObject({ before: 'ACTIVE', after: 'CANCELLED' });
  });

  test('may be replaced, stays cancelled, and does not become active again', async () => {
    const id = await publish();
    await change(id, 'CANCELLED');
    const replaced = await portal.publish({ cif: '9301', pdf: aPdf({ text: 'a new one' }), replaces: id });
    expect([replaced.status, replaced.error?.code]).toEqual([200, undefined]);
    expect((await lifeOf(id)).document.state).toBe('CANCELLED');
    expect(refusalOf(await change(id, 'ACTIVE'))).toEqual([409, 'INVALID_STATUS', ['state']]);
  });
});

describe('a document that is deleted', () => {
  test('does not exist for its owner any more: in no list, call, search, group or public page', async () => {
    const recipients = [{}, { type: 'GROUP', groupId: 'vip' }, { type: 'PUBLIC' }] as const;
    for (const to of recipients) {
      const id = await publish(to);
      expect((await anna.call('getDocument', { params: { id } })).status).toBe(200);
      await change(id, 'DELETED');
      const answers = [
        await anna.call('getDocument', { params: { id } }),
        await anna.call('downloadDocument', { params: { id } }),
        await anna.call('getDocumentHistory', { params: { id } }),
        await portal.anonymous.call('getPublicDocument', { params: { id } }),
      ];
      expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(answers.map(() => [404, 'DOCUMENT_NOT_FOUND_ERROR']));
      expect((await anna.call('checkDocument', { params: { id }, query: {} })).body.status).toBe('DOCUMENT_NOT_EXIST');
      expect(await isListed(id)).toBe(false);
    }
  });

  test('is reached from every state that is not final, and from none twice', async () => {
    const former = await publish();
    await publish({ replaces: former });
    const cancelled = await publish();
    await change(cancelled, 'CANCELLED');
    for (const id of [former, cancelled]) expect((await change(id, 'DELETED')).body).toMatchObject({ state: 'DELETED', changed: true });
    const before = (await lifeOf(former)).items;
    expect((await change(former, 'DELETED')).body).toMatchObject({ state: 'DELETED', changed: false });
    expect((await lifeOf(former)).items).toEqual(before);
  });

  test('does not come back when its publication is sent again', async () => {
    const again = { cif: '9301', uniqueName: 'KH-L-1', pdf: aPdf({ text: 'sent twice' }) };
    const { id } = (await portal.publish(again)).body;
    await change(id, 'DELETED');
    expect((await portal.publish(again)).body).toMatchObject({ id, repeated: true });
    expect(await isListed(id)).toBe(false);
  });
});

describe('a change of state is refused, and nothing changes, because', () => {
  test.each(['OBSOLETE', 'FORGOTTEN'] as const)('a word alone makes no document %s', async (state) => {
    const id = await publish();
    expect(refusalOf(await change(id, state))).toEqual([409, 'INVALID_STATUS', ['state']]);
    expect((await lifeOf(id)).document.state).toBe('ACTIVE');
  });

  test('only a deleted document is forgotten', async () => {
    const id = await publish();
    expect(refusalOf(await forget(id))).toEqual([409, 'INVALID_STATUS', ['state']]);
  });

  test('the document is under a legal hold, which is released again', async () => {
    const id = await publish();
    expect((await hold(id, true)).body).toMatchObject({ legalHold: true, changed: true });
    expect(refusalOf(await change(id, 'DELETED', { beforeRetention: true }))).toEqual([409, 'DOCUMENT_REMOVE_ERROR', ['legalHold']]);
    expect((await change(id, 'CANCELLED')).body.state).toBe('CANCELLED');
    await hold(id, false);
    expect((await change(id, 'DELETED')).body.state).toBe('DELETED');
  });

  test('the retention is not over; it is with the end of its last day where the organisation is', async () => {
    // Twelve o'clock in winter is 11:00 UTC: the day of UTC is the organisation's.
    const noon = new Date(`${dayFromNow(2)}T11:00:00Z`);
    portal.clock.advance(noon.getTime() - portal.clock.now().getTime());
    const id = await publish({ metadata: { RETENTION_DATE: dayFromNow(0) } });
    expect(refusalOf(await change(id, 'DELETED'))).toEqual([409, 'DOCUMENT_RETENTION_ERROR', ['retentionDate']]);
    const elevenAtNight = new Date(`${dayFromNow(0)}T21:30:00Z`);
    portal.clock.advance(elevenAtNight.getTime() - portal.clock.now().getTime());
    expect(refusalOf(await change(id, 'DELETED'))).toEqual([409, 'DOCUMENT_RETENTION_ERROR', ['retentionDate']]);
    // Half past midnight in Warsaw, in UTC still the day before.
    portal.clock.advance(2 * 3_600_000);
    expect((await change(id, 'DELETED')).body.state).toBe('DELETED');
    anna = await portal.signIn('4101');
  });

  test('a removal before the end of the retention needs a key of its own scope', async () => {
    const id = await publish({ metadata: { RETENTION_DATE: -1 } });
    const key = await portal.withKey(['documents:status', 'documents:forget', 'documents:retain']);
    const early = { state: 'DELETED', reason: 'sent to the wrong client', beforeRetention: true } as const;
    const refused = await key.call('changeDocumentState', { params: { id }, body: early });
    expect([refused.status, refused.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
    expect((await change(id, 'DELETED', { beforeRetention: true })).body).toMatchObject({ state: 'DELETED', retentionDate: -1 });
    expect(refusalOf(await forget(id))).toEqual([409, 'DOCUMENT_RETENTION_ERROR', ['retentionDate']]);
    expect((await forget(id, { beforeRetention: true })).body.state).toBe('FORGOTTEN');
  });

  test('no reason is given, or one without a word', async () => {
    const id = await publish();
    for (const reason of ['', 'x'.repeat(501)]) expect((await change(id, 'CANCELLED', { reason })).error?.code).toBe('VALIDATION_ERROR');
    const without = await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'CANCELLED' } as never });
    expect(without.error).toMatchObject({ code: 'VALIDATION_ERROR', fields: { reason: expect.any(String) } });
  });

  test('the document is unknown, or was never released', async () => {
    const draft = await publish();
    await portal.db.updateTable('document').set({ published_at: null }).where('id', '=', draft).execute();
    for (const id of [draft, randomUUID()]) {
      const answers = [await change(id, 'CANCELLED'), await hold(id, true), await retain(id, -1), await forget(id)];
      expect(answers.map(({ error }) => error?.code)).toEqual(answers.map(() => 'DOCUMENT_NOT_FOUND_ERROR'));
      expect((await portal.publisher.call('getDocumentLife', { params: { id } })).status).toBe(404);
    }
  });
});

describe('the retention of a document', () => {
  test('is extended, never shortened, and its owner sees the new day', async () => {
    const id = await publish({ metadata: { RETENTION_DATE: '2031-12-31' } });
    expect((await retain(id, '2031-12-31')).body).toMatchObject({ retentionDate: '2031-12-31', changed: false });
    expect((await retain(id, '2035-01-01')).body).toMatchObject({ retentionDate: '2035-01-01', changed: true });
    expect(refusalOf(await retain(id, '2034-12-31'))).toEqual([409, 'DOCUMENT_RETENTION_ERROR', ['until']]);
    expect((await anna.call('getDocument', { params: { id } })).body.metadata['RETENTION_DATE']).toBe('2035-01-01');
    expect((await retain(id, -1)).body.retentionDate).toBe(-1);
    expect(refusalOf(await retain(id, '2099-12-31'))).toEqual([409, 'DOCUMENT_RETENTION_ERROR', ['until']]);
  });

  test('is not shortened by the database either', async () => {
    const id = await publish({ metadata: { RETENTION_DATE: '2031-12-31' } });
    for (const day of ['2031-12-30', null])
      await expect(sql`update document set retention_date = ${day}::date where id = ${id}::uuid`.execute(portal.owner.db)).rejects.toThrow(
        'never shortened',
      );
  });

  test('is not extended to a day that is over, and to the present day it is', async () => {
    const id = await publish();
    expect(refusalOf(await retain(id, dayFromNow(-2)))).toEqual([400, 'VALIDATION_ERROR', ['until']]);
    expect((await lifeOf(id)).document.retentionDate).toBeNull();
    const today = new Intl.DateTimeFormat('sv', { timeZone: portal.settings.timeZone }).format(portal.clock.now());
    expect((await retain(id, today)).body).toMatchObject({ retentionDate: today, changed: true });
  });

  test('is at least that of its class, from the day of its publication on', async () => {
    const marker = { [portal.settings.statementMarkerKey]: 'STATEMENTS' };
    const least = `${Number(dayFromNow(0).slice(0, 4)) + 6}`;
    const retentionOf = async (metadata: Publication['metadata']) => (await lifeOf(await publish({ metadata }))).document.retentionDate;
    expect(await retentionOf(marker)).toMatch(new RegExp(`^${least}-`));
    expect(await retentionOf({ ...marker, RETENTION_DATE: '2027-01-01' })).toMatch(new RegExp(`^${least}-`));
    expect(await retentionOf({ ...marker, RETENTION_DATE: '2099-12-31' })).toBe('2099-12-31');
    expect(await retentionOf({})).toBeNull();
  });

  test.each(['2031-02-30', '31.12.2031', '', 0, null])('is no day: %s', async (until) => {
    const id = await publish();
    expect((await retain(id, until as string)).error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('the history of a document', () => {
  test('says of every change who made it and why, in the order of the changes', async () => {
    const id = await publish({ metadata: { RETENTION_DATE: '2020-01-01' } });
    const next = await publish({ replaces: id });
    await hold(id, true);
    await retain(id, '2099-12-31');
    await hold(id, false);
    await change(id, 'DELETED', { reason: 'Wygasła umowa', beforeRetention: true });
    const { document, items } = await lifeOf(id);
    expect(document).toMatchObject({ id, state: 'DELETED', legalHold: false, retentionDate: '2099-12-31', removedAt: null });
    expect(items.map(({ event, before, after, reason }) => [event, before, after, reason])).toEqual([
      ['PUBLISHED', null, null, null],
      ['STATE_CHANGED', 'ACTIVE', 'OBSOLETE', `replaced by ${next}`],
      ['HELD', null, null, 'C 12/26'],
      ['RETENTION_EXTENDED', '2020-01-01', '2099-12-31', null],
      ['RELEASED', null, null, 'C 12/26'],
      ['STATE_CHANGED', 'OBSOLETE', 'DELETED', 'Wygasła umowa'],
    ]);
    const key = await portal.db.selectFrom('publisher_key').select('id').where('name', '=', 'tests').execute();
    const keyIds = key.map((row) => row.id);
    for (const { keyId, keyName } of items) expect([keyIds.includes(keyId ?? ''), keyName]).toEqual([true, 'tests']);

    await forget(id, { beforeRetention: true });
    // Reasons are the organisation's own words and may name anybody: that of the last change alone stays.
    expect((await lifeOf(id)).items).toEqual([
      ...items.map((item) => ({ ...item, reason: null })),
      expect.objectContaining({ before: 'DELETED', after: 'FORGOTTEN', keyName: 'tests', reason: 'art. 17' }),
    ]);
  });

  test('tells a client of states only, and nothing of reasons, keys, holds and periods', async () => {
    const id = await publish();
    await hold(id, true);
    await retain(id, '2031-12-31');
    await change(id, 'CANCELLED', { reason: 'a secret of the bank' });
    const { items, ...rest } = (await anna.call('getDocumentHistory', { params: { id } })).body;
    expect(items.map(({ event }) => event).toSorted()).toEqual(['PUBLISHED', 'STATE_CHANGED']);
    expect(JSON.stringify({ items, rest })).not.toContain('secret');
  });

  test('has one row for changes that ten keys ask for at once', async () => {
    const id = await publish();
    const answers = await Promise.all(Array.from({ length: 10 }, () => change(id, 'CANCELLED')));
    expect(answers.filter(({ body }) => body.changed)).toHaveLength(1);
    expect((await lifeOf(id)).items).toHaveLength(2);
  });
});

describe('a document that is forgotten', () => {
  test('leaves its row, its entry in the register and its history, and nothing of what it said', async () => {
    const metadata = { REG_DATE: '2026-11-18', ACCOUNT_NUMBER: '99 1020 5555', PRIV_CASE_NUMBER: 'SPR-SECRET', BAR_NUMBER: 'B-SECRET' };
    const { id, sha256 } = (
      await portal.publish({ cif: '9301', fileName: 'Secret.pdf', addedBy: 'Secret', pdf: aPdf({ text: 'secret' }), metadata })
    ).body;
    await anna.call('markPage', { params: { id, page: '1' } });
    await readToTheEnd(anna, id);
    await change(id, 'DELETED');
    await forget(id);
    expect((await forget(id)).body).toMatchObject({ state: 'FORGOTTEN', changed: false, sha256: null });
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(document)::text as row from document where id = ${id}::uuid
      union all select to_jsonb(mark)::text from document_mark mark where document_id = ${id}::uuid
      union all select to_jsonb(words)::text from document_words words where document_id = ${id}::uuid`.execute(portal.owner.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toMatch(/secret|1020|2026-11-18/i);
    expect(rows[0]?.row).not.toContain(sha256);
    expect((await anna.call('checkChecksum', { body: { sha256 } })).body).toMatchObject({ status: 'DOCUMENT_NOT_EXIST', document: null });
    const registered = portal.db.selectFrom('publication').select(['sha256', 'cif', 'size']).where('document_id', '=', id);
    expect(await registered.execute()).toEqual([{ sha256: '', cif: null, size: expect.any(Number) }]);
  });

  test('is final: neither held, retained nor brought back', async () => {
    const id = await publish();
    await change(id, 'DELETED');
    await forget(id);
    const answers = [await hold(id, true), await retain(id, -1), await change(id, 'DELETED'), await change(id, 'ACTIVE')];
    expect(answers.map(refusalOf)).toEqual(answers.map(() => [409, 'INVALID_STATUS', ['state']]));
  });
});

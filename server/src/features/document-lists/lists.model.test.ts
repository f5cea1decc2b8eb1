import { calls, type Criterion, documentQuery, type DocumentQuery, publisherScopes, type MetadataMap } from '@pergamin/contract';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayInWarsaw, endsBeforeItStarts, listByModel, type ModelDocument, type ModelWorld } from '#testing/lists-model.ts';
import { propertyRuns } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { createDayOf } from './days.ts';

const markerKey = 'PERGAMIN_ST_DOC_TYPE';

/** Both sides of midnight in Warsaw at ends of months, on a leap day, around both changes of the clocks, at the turn of a year. */
const moments = ['2024-02-28', '2024-02-29', '2025-02-28', '2025-03-30', '2025-10-26', '2024-12-31', '2026-04-30'].flatMap((day) =>
  [-2, -1, 0, 1, 22, 23].flatMap((hours) => [-1, 0].map((ms) => Date.parse(`${day}T00:00:00Z`) + hours * 3_600_000 + ms)),
);
const days = ['2023-02-28', '2024-02-29', '2024-03-01', '2025-03-30', '2025-10-26', '2025-12-31', '2026-01-01', '2026-04-30'];
const words = ['Łódź', 'lodz', 'ŁÓDŹ 7', 'źrebak', 'żaba', 'zebra', 'Ćma', 'cma', '50%_1', '50\\1', '12 34', 'a/b-c'];
/** One of them has an accent on a digit: folded it is another's number, and is not equal to it. */
const accounts = ['12 3456 7890', '1234567890', '12 3456 7891', 'PL 99 ABC', '34 5678', '12\u0301 3456 7890'];
/** As people type a number, and as a file may be named by it. */
const typedNumbers = ['123 456 7890', '1234 567890', '12  3456 7891', '3456 78', '5678'];
const options = [
  { key: 'LOAN', pl: 'Kredyty', en: 'Loans' },
  { key: 'CARD', pl: 'Żetony i karty', en: 'Cards' },
  { key: 'SAVE', pl: 'Ćwiartki', en: 'Savings' },
];
/** Longer than lists keep beside a delivery. */
const longWords = words.map((word) => `${word} ${'ż'.repeat(200)} koniec ${word}`);

const aDate = fc.oneof(fc.constantFrom(...days), fc.constant(-1));
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const aMetadata = fc
  .record({
    PRIV_CASE_NUMBER: optional(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...words) }, fc.constantFrom(...longWords))),
    ACCOUNT_NUMBER: optional(fc.constantFrom(...accounts)),
    PRIV_DOC_PRODUCT_GROUP: optional(fc.constantFrom(...options.map(({ key }) => key))),
    ST_NUMBER: optional(fc.constantFrom(...words)),
    BAR_NUMBER: optional(fc.constantFrom('007', '59001', 'x7')),
    REG_DATE: optional(aDate),
    ST_DATE: optional(aDate),
    '11': optional(aDate),
    RETENTION_DATE: optional(aDate),
    DOC_EXT: optional(fc.constantFrom('pdf', 'PDF', 'źdź')),
    periodStart: optional(fc.constantFrom(...days.slice(0, 4))),
    periodEnd: optional(fc.oneof(fc.constantFrom(...days.slice(4)), fc.constant(-1))),
  })
  .map(({ periodStart, periodEnd, ...rest }): MetadataMap => {
    const map: MetadataMap = {};
    for (const [key, value] of Object.entries({ ...rest, ST_PERIOD_START: periodStart, ST_PERIOD_END: periodEnd }))
      if (value !== undefined) map[key] = value;
    return map;
  });

interface Recipient {
  readonly type: 'PRIVATE' | 'GROUP' | 'PUBLIC';
  readonly cif?: string;
  readonly cif2?: string;
  readonly groupId?: string;
  readonly isStatement?: boolean;
}

const recipients: readonly Recipient[] = [
  { type: 'PRIVATE', cif: 'm-one' },
  { type: 'PRIVATE', cif: 'm-one', isStatement: true },
  { type: 'PRIVATE', cif: 'm-two', cif2: 'm-one' },
  { type: 'PRIVATE', cif: 'm-two' },
  { type: 'PRIVATE', cif: 'm-other' },
  { type: 'GROUP', groupId: 'm-group' },
  { type: 'PUBLIC' },
];

let portal: TestPortal;
let world: ModelWorld;
let readers: { readonly client: TestClient; readonly cifs: readonly string[] }[];

const checksumOf = async (id: string): Promise<string> =>
  (await portal.db.selectFrom('document').select('sha256').where('id', '=', id).executeTakeFirstOrThrow()).sha256;

const publishAll = async (): Promise<ModelDocument[]> => {
  const key = await portal.keys.issue({ name: 'model', scopes: publisherScopes, demo: true });
  const made = fc.sample(
    fc.record({ metadata: aMetadata, publishedAt: fc.constantFrom(...moments), fileName: fc.constantFrom(...words, ...typedNumbers) }),
    {
      numRuns: 84,
      seed: 7,
    },
  );
  const documents: ModelDocument[] = [];
  for (const [index, { metadata: given, publishedAt, fileName }] of made.entries()) {
    const { isStatement = false, ...recipient }: Recipient = recipients[index % recipients.length] ?? { type: 'PUBLIC' };
    const metadata: MetadataMap = isStatement ? { ...given, [markerKey]: 'STATEMENTS' } : given;
    const form = new FormData();
    form.set('description', JSON.stringify({ ...recipient, fileName, metadata, publishedAt }));
    form.set('file', new Blob([Uint8Array.from(aPdf({ text: String(index) }))], { type: 'application/pdf' }), 'document.pdf');
    const { body } = await portal.publisher.call('publishDocument', { form }, { authorization: `Bearer ${key}` });
    const sha256 = await checksumOf(body.id);
    const state = index % 11 === 3 ? 'CANCELLED' : 'ACTIVE';
    if (state !== 'ACTIVE') await portal.db.updateTable('document').set({ state }).where('id', '=', body.id).execute();
    documents.push({
      id: body.id,
      type: recipient.type,
      owners: [recipient.cif, recipient.cif2].filter((owner) => owner !== undefined),
      groupId: recipient.groupId,
      publishedAt,
      fileName,
      metadata: { ...metadata, CHECKSUM_SHA256: sha256 },
      state,
    });
  }
  return documents;
};

beforeAll(async () => {
  portal = await startTestPortal();
  const values = options.map(({ key, pl, en }) => ({ key, name: { pl, en } }));
  await portal.publisher.call('upsertDictionary', {
    params: { id: 'PRIV_DOC_PRODUCT_GROUP' },
    body: { name: { pl: 'Grupa', en: 'Group' }, values },
  });
  readers = [
    { client: await portal.signIn('5001', { cif: 'm-one' }), cifs: ['m-one'] },
    { client: await portal.signIn('5002', { cif: 'm-two', cif2: 'm-one' }), cifs: ['m-two', 'm-one'] },
  ];
  await portal.addClient('5003', { cif: 'm-other' });
  // In and out, exactly at moments of publication; of the two times of one number some lie in one another.
  const memberships = [
    { groupId: 'm-group', cif: 'm-one', since: moments[10] ?? 0, until: moments[40] ?? null },
    { groupId: 'm-group', cif: 'm-one', since: moments[60] ?? 0, until: null },
    { groupId: 'm-group', cif: 'm-two', since: moments[0] ?? 0, until: moments[30] ?? null },
    { groupId: 'm-group', cif: 'm-two', since: moments[20] ?? 0, until: moments[21] ?? null },
    { groupId: 'm-other', cif: 'm-one', since: 0, until: null },
  ];
  for (const { groupId, cif, since, until } of memberships)
    await portal.db
      .insertInto('group_member')
      .values({ group_id: groupId, cif, since: new Date(since), until: until === null ? null : new Date(until) })
      .execute();
  world = { documents: await publishAll(), memberships, markerKey, options };
}, 120_000);

afterAll(() => portal[Symbol.asyncDispose]());

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
const someText = fc.oneof(
  fc.constantFrom(...words, ...accounts, ...typedNumbers, 'koniec', 'ż', 'kredyt', 'LOAN', 'z', '1'),
  fc.constantFrom(...words).chain((word) => fc.nat({ max: word.length }).map((cut) => word.slice(0, cut))),
);
const aPattern = someText.chain((text) => fc.constantFrom(`%${escaped(text)}%`, escaped(text)));
const aMoment = fc.constantFrom(...moments);
const aDay: fc.Arbitrary<string | number> = fc.oneof(fc.constantFrom(...days), fc.constant(-1), aMoment);
const someOrdered = fc.constantFrom('EQUALS', 'NOT_EQUALS', 'GQ', 'LQ');
const ofText = (...ids: string[]) =>
  fc.oneof(
    fc.record({ id: fc.constantFrom(...ids), operator: fc.constant('LIKE'), value: aPattern }),
    fc.record({ id: fc.constantFrom(...ids), operator: fc.constantFrom('EQUALS', 'NOT_EQUALS'), value: someText }),
  );
const aCriterion = fc.oneof(
  ofText('PRIV_CASE_NUMBER', 'ST_NUMBER', 'ACCOUNT_NUMBER', 'FILE_NAME', 'BAR_NUMBER', 'DOC_EXT', 'PRIV_DOC_PRODUCT_GROUP'),
  fc.record({
    id: fc.constantFrom('CIF', 'CIF2', '14'),
    operator: fc.constantFrom('EQUALS', 'NOT_EQUALS', 'LIKE'),
    value: fc.constantFrom('m-one', 'm-two', 'm-other', 'M-ONE', '%m-%', '%o%', '%two%'),
  }),
  fc.record({
    id: fc.constant('CHECKSUM_SHA256'),
    operator: fc.constant('LIKE'),
    value: fc.stringMatching(/^%[\da-fA-F]{1,2}%$/),
  }),
  fc.record({
    id: fc.constantFrom('REG_DATE', 'ST_DATE', 'ST_PERIOD_START', 'ST_PERIOD_END', '11', 'RETENTION_DATE'),
    operator: someOrdered,
    value: aDay,
  }),
  fc.record({ id: fc.constant('PUBLICATION_DATE'), operator: someOrdered, value: aMoment }),
  fc.record({
    id: fc.constant('TYPE'),
    operator: fc.constantFrom('EQUALS', 'NOT_EQUALS'),
    value: fc.constantFrom('PRIVATE', 'GROUP', 'PUBLIC'),
  }),
  fc.record({
    id: fc.constant('STATE'),
    operator: fc.constantFrom('EQUALS', 'NOT_EQUALS'),
    value: fc.constantFrom('ACTIVE', 'CANCELLED', 'DELETED'),
  }),
);
const lists: Criterion[][] = [
  [],
  [
    { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
    { id: markerKey, operator: 'NOT_EQUALS', value: 'STATEMENTS' },
  ],
  [
    { id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' },
    { id: markerKey, operator: 'EQUALS', value: 'STATEMENTS' },
  ],
  [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }],
];
const sortable =
  'PUBLICATION_DATE PRIV_CASE_NUMBER ACCOUNT_NUMBER PRIV_DOC_PRODUCT_GROUP ST_NUMBER FILE_NAME BAR_NUMBER REG_DATE ST_DATE ST_PERIOD_START ST_PERIOD_END 11 RETENTION_DATE DOC_EXT CIF CIF2 14 CHECKSUM_SHA256'.split(
    ' ',
  );
const aQuery: fc.Arbitrary<DocumentQuery> = fc
  .record({
    text: fc.option(
      someText.map((text) => `%${escaped(text)}%`),
      { freq: 2 },
    ),
    criteria: fc.record({
      metadata: fc.tuple(fc.constantFrom(...lists), fc.array(aCriterion, { maxLength: 2 })).map(([list, more]) => [...list, ...more]),
      period: fc.option(fc.record({ start: fc.option(aMoment), end: fc.option(aMoment) }), { freq: 2 }),
    }),
    sort: fc.array(fc.record({ by: fc.constantFrom(...sortable), order: fc.constantFrom('asc', 'desc') }), { maxLength: 2 }),
    page: fc.nat({ max: 4 }),
    size: fc.constantFrom(3, 7, 100),
  })
  .map((query) => documentQuery.parse(query));

test('the day of a moment is the same by the rules of summer time and by the machine’s tables', () => {
  const dayOf = createDayOf('Europe/Warsaw');
  fc.assert(
    fc.property(fc.integer({ min: Date.parse('2018-01-01'), max: Date.parse('2035-12-31') }), (moment) => {
      expect(dayOf(moment)).toBe(dayInWarsaw(moment));
    }),
  );
  for (const moment of moments) expect(dayOf(moment)).toBe(dayInWarsaw(moment));
});

test('every search finds what a plain filter over all documents finds, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(aQuery, fc.nat({ max: 1 }), async (query, who) => {
      const reader = readers[who];
      if (reader === undefined) throw new Error('there are two readers');
      const answer = await reader.client.call('listOwnDocuments', { body: query });
      if (endsBeforeItStarts(query)) {
        expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
        return;
      }
      expect(answer.body).toEqual(calls.listOwnDocuments.answer.parse(answer.body));
      const wanted = listByModel(query, reader.cifs, world);
      const page = wanted.slice(query.page * query.size, (query.page + 1) * query.size);
      expect({ ids: answer.body.items.map(({ id }) => id), total: answer.body.total }).toEqual({ ids: page, total: wanted.length });
    }),
    propertyRuns({ day: 20, night: 500 }),
  );
}, 120_000);

test('a mark of one member says nothing of another’s', async () => {
  const grouped = world.documents.find(({ id, type }) => type === 'GROUP' && readers.every(({ cifs }) => readable(id, cifs)));
  if (grouped === undefined) throw new Error('no group document reaches both readers');
  const [first, second] = readers;
  if (first !== undefined) await readToTheEnd(first.client, grouped.id);
  const readOf = async (client: TestClient | undefined) => {
    const answer = await client?.call('listOwnDocuments', {
      body: { criteria: { metadata: [{ id: 'TYPE', operator: 'EQUALS', value: 'GROUP' }] }, size: 100 },
    });
    return answer?.body.items.find(({ id }) => id === grouped.id)?.read;
  };
  expect(await readOf(first?.client)).toBeTypeOf('number');
  expect(await readOf(second?.client)).toBeNull();
});

test('a search that is right but for one thing is refused for it or answered, and never breaks', async () => {
  const { client } = readers[0] ?? {};
  const wrongText = fc.constantFrom('%', '\0', '\ud800', '\u007f', '%\\%', "' or true --", 'ż'.repeat(300), '');
  const wrong = fc.oneof(
    fc.record({
      criteria: fc.record({
        metadata: fc.array(
          fc.record({
            id: fc.constantFrom(
              ...sortable,
              'CIF',
              '14',
              '4',
              '2',
              'STATE',
              'TYPE',
              'HCP',
              'CHECKSUM_SHA256',
              'ADDED_BY',
              'SALARY',
              '__proto__',
            ),
            operator: fc.constantFrom('EQUALS', 'NOT_EQUALS', 'LIKE', 'GQ', 'LQ', 'BETWEEN'),
            value: fc.oneof(wrongText, aPattern, fc.boolean(), fc.double(), fc.integer(), fc.constantFrom(null, '2026-02-30', 8.64e15 + 1)),
          }),
          { maxLength: 3 },
        ),
      }),
    }),
    fc.record({ text: wrongText }),
    fc.record({ sort: fc.constant([{ by: 'CIF2', order: 'desc' }]), text: aPattern }),
    fc.record({ page: fc.constantFrom(-1, 0.5, 1e6, 1e7, '0'), size: fc.constantFrom(0, 1, 100, 101) }),
    fc.record({
      criteria: fc.record({
        period: fc.record({ start: fc.constantFrom(-8.64e15, '2026-01-01', -1), end: fc.constantFrom(8.64e15, null) }),
      }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(wrong, async (body) => {
      const answer = await portal.server.inject({
        method: 'POST',
        url: calls.listOwnDocuments.path,
        headers: { host: portal.settings.publicUrl.host, authorization: client?.token ?? '', cookie: client?.cookie ?? '' },
        payload: body,
      });
      if (answer.statusCode === 200) expect(calls.listOwnDocuments.answer.safeParse(answer.json()).success).toBe(true);
      else
        expect([answer.statusCode, answer.json()]).toMatchObject([
          400,
          { code: expect.stringMatching(/^(?:VALIDATION_ERROR|INVALID_DATE_RANGE)$/) },
        ]);
    }),
    propertyRuns({ day: 15, night: 400 }),
  );
}, 120_000);

test('a caller without a session finds what is public and nothing else, by any query', async () => {
  const onlyPublic: Criterion = { id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' };
  await fc.assert(
    fc.asyncProperty(aQuery, async (query) => {
      // Of more calls in a minute they would be reminded.
      portal.clock.advance(1_000);
      const answer = await portal.anonymous.call('listPublicDocuments', { body: query });
      if (endsBeforeItStarts(query)) {
        expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
        return;
      }
      const { criteria } = query;
      const wanted = listByModel({ ...query, criteria: { ...criteria, metadata: [onlyPublic, ...criteria.metadata] } }, [], world);
      const page = wanted.slice(query.page * query.size, (query.page + 1) * query.size);
      expect({ ids: answer.body.items.map(({ id }) => id), total: answer.body.total }).toEqual({ ids: page, total: wanted.length });
    }),
    propertyRuns({ day: 12, night: 240 }),
  );
}, 120_000);

const readable = (id: string, cifs: readonly string[]): boolean =>
  listByModel(documentQuery.parse({ criteria: { metadata: [] } }), cifs, world).includes(id);

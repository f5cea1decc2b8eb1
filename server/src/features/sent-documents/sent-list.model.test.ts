import { calls, sentQuery, type SentDocument, type SentQuery } from '@pergamin/contract';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { says } from '#testing/lists-model.ts';
import { propertyRuns } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, testCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

const fileNames = ['Łódź.pdf', 'LODZ 7.pdf', 'źrebak_50%.pdf', 'Zaświadczenie.pdf', 'a-b.pdf', 'Reklamacja 12 34.pdf', 'reklamacja.pdf'];
const pairs = testCategories.flatMap(({ id: categoryId, types }) => types.map(({ id: typeId }) => ({ categoryId, typeId })));
/** Some of them of the same moment, so that only the id tells one from the other. */
const moments = ['2024-02-29', '2025-03-30', '2025-10-26', '2026-01-01'].flatMap((day) => [-1, 0, 1].map((ms) => Date.parse(day) + ms));

let portal: TestPortal;
let readers: { readonly client: TestClient; readonly sent: SentDocument[] }[];

const sendAll = async (client: TestClient, count: number): Promise<SentDocument[]> => {
  const sent: SentDocument[] = [];
  for (let index = 0; index < count; index += 1) {
    const pair = pairs[index % pairs.length];
    const filename = fileNames[(index * 3) % fileNames.length] ?? 'a.pdf';
    const { body } = await upload(client, { pdf: aPdf({ text: `sent ${index}` }), filename, ...pair });
    const createdOn = moments[(index * 5) % moments.length] ?? 0;
    const receivedOn = index % 4 === 1 ? createdOn + 60_000 : null;
    await portal.db
      .updateTable('sent_document')
      .set({ created_at: new Date(createdOn), acknowledged_at: receivedOn === null ? null : new Date(receivedOn) })
      .where('id', '=', body.id)
      .execute();
    sent.push({ ...body, createdOn, receivedOn, status: receivedOn === null ? 'SENT' : 'RECEIVED' });
  }
  return sent;
};

beforeAll(async () => {
  portal = await startTestPortal();
  await keepCategories(portal.publisher);
  const [first, second] = [await portal.signIn('8001', { cif: 's-one' }), await portal.signIn('8002', { cif: 's-one' })];
  readers = [
    { client: first, sent: await sendAll(first, 26) },
    // Another person of the same customer number: sent documents are the sender's only.
    { client: second, sent: await sendAll(second, 5) },
  ];
}, 60_000);

afterAll(() => portal[Symbol.asyncDispose]());

const plainLetters: Readonly<Record<string, string>> = { ą: 'a', ć: 'c', ę: 'e', ł: 'l', ń: 'n', ó: 'o', ś: 's', ź: 'z', ż: 'z' };
const plain = (text: string): string => Array.from(text.toLowerCase(), (letter) => plainLetters[letter] ?? letter).join('');

/** I3 over documents in memory: apart from the product, slowly and plainly. */
const listByModel = (sent: readonly SentDocument[], { text, criteria, sort }: SentQuery): SentDocument[] => {
  const asked = (value: string | null): string => value?.trim() ?? '';
  const isNewestFirst = sort[0]?.order !== 'asc';
  return sent
    .filter(({ filename, category, type, createdOn }) => {
      const names = [filename, category.name.pl, category.name.en, type.name.pl, type.name.en].join(' ');
      return (
        says(plain(names), plain(asked(text))) &&
        says(plain(filename), plain(asked(criteria.filename))) &&
        ['', category.id].includes(asked(criteria.categoryId)) &&
        ['', type.id].includes(asked(criteria.typeId)) &&
        createdOn >= (criteria.createdOnAfter ?? -Infinity) &&
        createdOn <= (criteria.createdOnBefore ?? Infinity)
      );
    })
    .toSorted((left, right) => {
      const order = left.createdOn - right.createdOn || (left.id < right.id ? -1 : 1);
      return isNewestFirst ? -order : order;
    });
};

const someText = fc.oneof(
  fc.constantFrom(
    '',
    '  ',
    'łódź',
    'LODZ',
    '%',
    '_',
    '50%',
    'kredyt',
    'Odwolanie',
    'income',
    ' .PDF ',
    'pdf Kredyty',
    '12 34',
    "' or true --",
  ),
  fc.constantFrom(...fileNames).chain((name) => fc.nat({ max: name.length }).map((cut) => name.slice(cut))),
);
const aMoment = fc.oneof(fc.constantFrom(...moments), fc.constantFrom(-8.64e15, -1, 0, 8.64e15));
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 2 });
const aQuery: fc.Arbitrary<SentQuery> = fc
  .record(
    {
      text: orNull(someText),
      criteria: fc.record({
        filename: orNull(someText),
        typeId: orNull(fc.constantFrom('APPEAL', 'COMPLAINT', 'INCOME', 'NONE', ' ')),
        categoryId: orNull(fc.constantFrom('COMPLAINTS', 'LOANS', 'loans')),
        createdOnAfter: orNull(aMoment),
        createdOnBefore: orNull(aMoment),
      }),
      sort: fc.array(fc.record({ by: fc.constant('createdOn'), order: fc.constantFrom('asc', 'desc', 'DESC') }), { maxLength: 2 }),
      page: fc.nat({ max: 4 }),
      size: fc.constantFrom(1, 4, 100),
    },
    { requiredKeys: [] },
  )
  .map((query) => sentQuery.parse(query));

test('every search of what was sent finds what a plain filter over all of it finds, in the same order, and no other client’s', async () => {
  await fc.assert(
    fc.asyncProperty(aQuery, fc.nat({ max: 1 }), async (query, who) => {
      const reader = readers[who];
      if (reader === undefined) throw new Error('there are two readers');
      const answer = await reader.client.call('listSentDocuments', { body: query });
      const { createdOnAfter: after, createdOnBefore: before } = query.criteria;
      if (after !== null && before !== null && before < after) {
        expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
        return;
      }
      expect(answer.body).toEqual(calls.listSentDocuments.answer.parse(answer.body));
      const wanted = listByModel(reader.sent, query);
      expect(answer.body).toEqual({
        items: wanted.slice(query.page * query.size, (query.page + 1) * query.size),
        total: wanted.length,
      });
    }),
    propertyRuns({ day: 15, night: 400 }),
  );
}, 60_000);

test('a search of what was sent that is right but for one thing is refused for it or answered, and never breaks', async () => {
  const { client } = readers[0] ?? {};
  const wrongText = fc.constantFrom('\0', '\ud800', '\u007f', 'ż'.repeat(300), 7, true, ['a'], { like: 'a' });
  const wrongMoment = fc.constantFrom(8.64e15 + 1, -8.64e15 - 1, 0.5, '2026-01-01', true, 'NaN');
  const wrong = fc.oneof(
    fc.record({ text: wrongText }),
    fc.record({ criteria: fc.record({ filename: wrongText }) }),
    fc.record({ criteria: fc.record({ typeId: wrongText, categoryId: wrongText }) }),
    fc.record({ criteria: fc.record({ createdOnAfter: wrongMoment }) }),
    fc.record({ criteria: fc.record({ createdOnBefore: wrongMoment, createdOnAfter: aMoment }) }),
    fc.record({ criteria: fc.record({ personalId: fc.constant('8002') }) }),
    fc.record({ criteria: fc.constantFrom([], 'all', 3) }),
    fc.record({
      sort: fc.array(fc.record({ by: fc.constantFrom('createdOn', 'filename', 's.id', '__proto__'), order: fc.constantFrom('asc', 'up') })),
    }),
    fc.record({ page: fc.constantFrom(-1, 0.5, 1e6, 1e9, '0'), size: fc.constantFrom(0, 1, 100, 101, 1e9) }),
  );
  await fc.assert(
    fc.asyncProperty(wrong, async (body) => {
      const answer = await portal.server.inject({
        method: 'POST',
        url: calls.listSentDocuments.path,
        headers: { host: portal.settings.publicUrl.host, authorization: client?.token ?? '', cookie: client?.cookie ?? '' },
        payload: body,
      });
      if (answer.statusCode === 200) expect(calls.listSentDocuments.answer.safeParse(answer.json()).success).toBe(true);
      else
        expect([answer.statusCode, answer.json()]).toMatchObject([
          400,
          { code: expect.stringMatching(/^(VALIDATION_ERROR|INVALID_DATE_RANGE)$/) },
        ]);
    }),
    propertyRuns({ day: 15, night: 300 }),
  );
}, 60_000);

import type { Criterion, DocumentQuery } from '@pergamin/contract';
import { type Asked, open, quick, slow } from './kept-lists.ts';
import type { Promised } from './promise.ts';

const million = 1_000_000;

export const queryOf = (
  query: Partial<Omit<DocumentQuery, 'criteria'>> & { metadata?: Criterion[]; isOfAllTime?: boolean } = {},
): DocumentQuery => ({
  text: query.text ?? null,
  criteria: {
    metadata: [
      { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
      { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
      ...(query.metadata ?? []),
    ],
    // LAST_3_MONTHS on the last day of the data.
    period:
      query.isOfAllTime === true
        ? null
        : { start: Date.parse('2026-08-01T00:00:00+02:00'), end: Date.parse('2026-11-01T23:59:59.999+01:00') },
  },
  sort: query.sort ?? [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: query.page ?? 0,
  size: 100,
});

const large = (makeQuery: Asked['makeQuery'], total?: number): Asked => ({
  documents: million,
  owner: 'large',
  makeQuery,
  ...(total === undefined ? {} : { total }),
});
const medium = (makeQuery: Asked['makeQuery']): Asked => ({ documents: million, owner: 'medium', makeQuery });
const opening = (): DocumentQuery => queryOf();
/** What the owner's lists hold: a hundred thousand of their own and those of two groups since they joined. */
const largeTotal = 100_055;
const bare: Asked = { ...large(opening), isBare: true };

const ratio = (name: string, promise: string, limit: number, asked: { ours: Asked; floor: Asked }): Promised => ({
  name,
  promise,
  unit: 'ms CPU',
  limit,
  rounds: 7,
  open: () => open(asked, quick),
});

const within = (limit: number, name: string, promise: string, ours: Asked): Promised => ({
  name,
  promise,
  unit: 'ms CPU',
  limit,
  rounds: 5,
  open: () => open({ ours }, limit <= shortMs ? quick : slow),
});
/** Answers that take no longer are asked for many times. */
const shortMs = 16;
/** Of an owner of a hundred thousand, who is rare. */
const largeMs = 150;
/** Of an owner of a thousand. */
const mediumMs = 8;

const allTime = (query: Parameters<typeof queryOf>[0] = {}) => queryOf({ ...query, isOfAllTime: true });

/** Case numbers end in six digits. */
const sixDigits = (turn: number): string => String(100_000 + ((turn * 7_919) % 900_000));
const caseNumbers = (turn: number): Criterion[] => [{ id: 'PRIV_CASE_NUMBER', operator: 'LIKE', value: `%${sixDigits(turn)}%` }];
const options = ['LOANS', 'ACCOUNTS', 'CARDS', 'DEPOSITS', 'INSURANCE', 'INVESTMENTS', 'LEASING', 'OTHER'];
const days = (turn: number): string => `2019-${String(1 + (turn % 12)).padStart(2, '0')}-${String(1 + (turn % 28)).padStart(2, '0')}`;
const manyFilters = (turn: number): Criterion[] => [
  { id: 'PRIV_DOC_PRODUCT_GROUP', operator: 'EQUALS', value: options[turn % options.length] ?? '' },
  { id: 'ACCOUNT_NUMBER', operator: 'LIKE', value: '%1090%' },
  { id: 'REG_DATE', operator: 'GQ', value: days(turn) },
];
const byCaseNumber: DocumentQuery['sort'] = [{ by: 'PRIV_CASE_NUMBER', order: 'asc' }];
/** One that a fifth of the owner's documents have, as it is printed. */
const accountOf = (turn: number): string =>
  `${'1090'.repeat(5).slice(0, 19)}${1_000_003 + (turn % 5) * 7_919}`.replace(/^\d\d/, '$& ').replaceAll(/\d{4}(?=\d)/g, '$& ');
const filtered = (makeCriterion: (turn: number) => Criterion) => large((turn) => allTime({ metadata: [makeCriterion(turn)] }));
const sorted = (by: string) => large(() => allTime({ sort: [{ by, order: 'asc' }] }), largeTotal);

/** A million documents, of which one owner has a hundred thousand, another a thousand and another a hundred. */
export const lists: readonly Promised[] = [
  ratio('lists-floor', 'the opening list of an owner of 100 000, against bare Fastify and the same prepared rows query', 2.5, {
    ours: large(opening),
    floor: bare,
  }),
  ratio('lists-million', 'the opening list of an owner of 100 among 1 000 000 documents, against 100 000 in all', 1.2, {
    ours: { documents: million, owner: 'small', makeQuery: opening, total: 100 },
    floor: { documents: 100_000, owner: 'small', makeQuery: opening, total: 100 },
  }),

  within(
    mediumMs,
    'lists-medium-page',
    'the last full page of an owner of 1 000',
    medium(() => allTime({ page: 9 })),
  ),
  within(
    mediumMs,
    'lists-medium-sort',
    '1 000 sorted by case number',
    medium(() => allTime({ sort: byCaseNumber })),
  ),
  within(
    mediumMs,
    'lists-medium-filter',
    '1 000 narrowed by product group, account and date, sorted by case number',
    medium((turn) => allTime({ metadata: manyFilters(turn), sort: byCaseNumber })),
  ),
  within(
    mediumMs,
    'lists-medium-text',
    'a text that a third of 1 000 has, sorted by case number',
    medium(() => allTime({ text: '%umow%', sort: byCaseNumber })),
  ),

  within(
    largeMs,
    'lists-any-page',
    'the page in the middle of 100 055',
    large(() => allTime({ page: 500 }), largeTotal),
  ),
  within(
    largeMs,
    'lists-last-page',
    'the last full page of 100 055',
    large(() => allTime({ page: 999 }), largeTotal),
  ),
  within(largeMs, 'lists-sort-text', '100 055 sorted by case number', sorted('PRIV_CASE_NUMBER')),
  within(largeMs, 'lists-sort-option', '100 055 sorted by product group', sorted('PRIV_DOC_PRODUCT_GROUP')),
  within(largeMs, 'lists-sort-checksum', '100 055 sorted by checksum', sorted('CHECKSUM_SHA256')),
  within(
    largeMs,
    'lists-filter-text',
    '100 055 searched for a part of a case number',
    large((turn) => allTime({ metadata: caseNumbers(turn) })),
  ),
  within(
    largeMs,
    'lists-filter-many',
    '100 055 narrowed by product group, account and date, sorted by case number',
    large((turn) => allTime({ metadata: manyFilters(turn), sort: byCaseNumber })),
  ),
  within(
    largeMs,
    'lists-filter-account',
    '100 055 narrowed to one account number of five',
    filtered((turn) => ({ id: 'ACCOUNT_NUMBER', operator: 'EQUALS', value: accountOf(turn) })),
  ),
  within(
    largeMs,
    'lists-filter-cif',
    '100 055 narrowed by customer number, which all have',
    filtered(() => ({ id: 'CIF', operator: 'LIKE', value: '%lar%' })),
  ),
  within(
    largeMs,
    'lists-filter-checksum',
    '100 055 searched for a part of a checksum',
    filtered((turn) => ({ id: 'CHECKSUM_SHA256', operator: 'LIKE', value: `%${(turn * 2_654_435_761).toString(16).slice(-7)}%` })),
  ),
  within(
    largeMs,
    'lists-free-text',
    '100 055 searched by the free text',
    large((turn) => allTime({ text: `%${sixDigits(turn)}%` })),
  ),
  within(
    largeMs,
    'lists-free-text-sorted',
    'a text that a third of 100 055 has, sorted by case number',
    large(() => allTime({ text: '%umow%', sort: byCaseNumber })),
  ),
];

const valuesOf = (key: string): Asked => ({ ...large(() => allTime()), key });

/** What filters offer: the different values of a key. */
export const values: readonly Promised[] = [
  within(mediumMs, 'values-medium', 'the case numbers of an owner of 1 000', { ...medium(() => allTime()), key: 'PRIV_CASE_NUMBER' }),
  within(largeMs, 'values-option', 'the product groups among 100 055 documents', valuesOf('PRIV_DOC_PRODUCT_GROUP')),
  within(largeMs, 'values-date', 'the first 200 of the days of registration among 100 055 documents', valuesOf('REG_DATE')),
  // ICU compares each of them, so that numbers in them are in order (decision 0082).
  within(250, 'values-text', 'the first 200 of 95 000 case numbers', valuesOf('PRIV_CASE_NUMBER')),
];

const publicOf = (query: DocumentQuery): DocumentQuery => ({
  ...query,
  criteria: { ...query.criteria, metadata: [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }] },
});
const everybodys = (query: Parameters<typeof queryOf>[0] = {}): Asked => ({ ...large(() => publicOf(allTime(query))), isPublic: true });

/** 2 000 public documents among a million, for people without a session. */
export const publicLists: readonly Promised[] = [
  ratio('public-list', 'the public list as it opens, against bare Fastify and the same prepared rows query', 2.5, {
    ours: { ...everybodys(), total: 2_000 },
    floor: { ...everybodys(), isBare: true },
  }),
  within(2 * mediumMs, 'public-search', '2 000 public documents searched by the free text', everybodys({ text: '%regulamin nr 5%' })),
  within(
    2 * mediumMs,
    'public-sort',
    '2 000 public documents sorted by name',
    everybodys({ sort: [{ by: 'PUB_FILENAME', order: 'asc' }] }),
  ),
];

const searched = (makeText: (turn: number) => string): Asked => ({ ...large(opening), makeText });

/** Full text of an owner of 100 000 documents of two pages, among the texts of twice as many. */
export const searches: readonly Promised[] = [
  within(
    30,
    'search-rare',
    'a word of a few of 112 000 documents',
    searched((turn) => `slowo${15_000 + ((turn * 7_919) % 5_000)}`),
  ),
  within(
    100,
    'search-several',
    'a frequent word and the beginning of another',
    searched((turn) => `umowa slowo1${String(turn % 90).padStart(2, '0')}`),
  ),
  within(
    250,
    'search-all',
    'a word that all 112 000 documents have',
    searched(() => 'umowa'),
  ),
];

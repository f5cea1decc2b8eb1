import type { Criterion, DocumentQuery } from '@pergamin/contract';
import { type Asked, open, quick, slow } from './kept-lists.ts';
import type { Promised } from './promise.ts';

const million = 1_000_000;

const queryOf = (
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

/** What the opening list, answered by the least that could, takes on the machine that limits in milliseconds are for. */
const bareMs = 3.5;

/** Beside the opening list of the same owner, answered by the least that could. */
const within = (name: string, promise: string, limit: number, ours: Asked, floor: Asked = bare): Promised => ({
  name,
  promise,
  unit: 'ms CPU',
  limit,
  limitAtFloor: bareMs,
  rounds: 7,
  open: () => open({ ours, floor }, slow),
});

const allTime = (page: number): Asked => large(() => queryOf({ isOfAllTime: true, page }), largeTotal);
const sorted = (by: string, order: 'asc' | 'desc'): Asked => large(() => queryOf({ isOfAllTime: true, sort: [{ by, order }] }), largeTotal);
const filtered = (makeCriteria: (turn: number) => Criterion[], sort?: DocumentQuery['sort']): Asked =>
  large((turn) => queryOf({ isOfAllTime: true, metadata: makeCriteria(turn), ...(sort === undefined ? {} : { sort }) }));

/** Case numbers end in six digits. */
const caseNumbers = (turn: number): Criterion[] => [
  { id: 'PRIV_CASE_NUMBER', operator: 'LIKE', value: `%${String(100_000 + ((turn * 7_919) % 900_000))}%` },
];
const fileNames = (turn: number): Criterion[] => [
  { id: 'FILE_NAME', operator: 'LIKE', value: `%nr ${String(100_000 + ((turn * 7_919) % 900_000))}%` },
];
const barNumbers = (turn: number): Criterion[] => [
  { id: 'BAR_NUMBER', operator: 'EQUALS', value: `59${String((turn * 7_919) % million).padStart(11, '0')}` },
];
/** Another question each time, that finds the same. */
const since = (turn: number, query: Parameters<typeof queryOf>[0] = {}): DocumentQuery => {
  const { criteria, ...rest } = queryOf({ ...query, isOfAllTime: true });
  return { ...rest, criteria: { ...criteria, period: { start: Date.parse('1990-01-01') + turn * 86_400_000, end: null } } };
};
/** One that a fifth of the owner's documents have, as it is printed. */
const accountOf = (turn: number): string =>
  `${'1090'.repeat(5).slice(0, 19)}${1_000_003 + (turn % 5) * 7_919}`.replace(/^\d\d/, '$& ').replaceAll(/\d{4}(?=\d)/g, '$& ');
const having = (makeCriterion: (turn: number) => Criterion): Asked => large((turn) => since(turn, { metadata: [makeCriterion(turn)] }));
const options = ['LOANS', 'ACCOUNTS', 'CARDS', 'DEPOSITS', 'INSURANCE', 'INVESTMENTS', 'LEASING', 'OTHER'];
const days = (turn: number): string => `2019-${String(1 + (turn % 12)).padStart(2, '0')}-${String(1 + (turn % 28)).padStart(2, '0')}`;

/** A million documents, of which one owner has a hundred thousand and another a hundred. */
export const lists: readonly Promised[] = [
  ratio('lists-floor', 'the opening list of an owner of 100 000, against bare Fastify and the same prepared rows query', 2.5, {
    ours: large(opening),
    floor: bare,
  }),
  ratio('lists-owner', 'the opening list of an owner of 100 000, against that of an owner of 100', 2, {
    ours: large(opening),
    floor: { documents: million, owner: 'small', makeQuery: opening, total: 100 },
  }),
  ratio('lists-million', 'the opening list of an owner of 100 among 1 000 000 documents, against 100 000 in all', 1.2, {
    ours: { documents: million, owner: 'small', makeQuery: opening, total: 100 },
    floor: { documents: 100_000, owner: 'small', makeQuery: opening, total: 100 },
  }),
  ratio('lists-last-page', 'the last full page of 100 055, against the first', 2, { ours: allTime(999), floor: allTime(0) }),
  ratio('lists-last-page-of-period', 'the last full page of the opening list, against the first', 2, {
    ours: large(() => queryOf({ page: 29 })),
    floor: large(opening),
  }),
  within('lists-any-page', 'the page in the middle of 100 055, farthest from both ends', 20, allTime(500)),
  within('lists-sort-text', '100 055 sorted by case number', 30, sorted('PRIV_CASE_NUMBER', 'asc')),
  within('lists-sort-option', '100 055 sorted by product group', 30, sorted('PRIV_DOC_PRODUCT_GROUP', 'asc')),
  within('lists-sort-date', '100 055 sorted by registration date', 30, sorted('REG_DATE', 'asc')),
  within('lists-sort-file-name', '100 055 sorted by file name', 30, sorted('FILE_NAME', 'desc')),
  within('lists-sort-checksum', '100 055 sorted by checksum', 30, sorted('CHECKSUM_SHA256', 'asc')),
  within('lists-filter-text', '100 055 searched for a part of a case number', 30, filtered(caseNumbers)),
  within(
    'lists-filter-many',
    '100 055 narrowed by product group, account and date, sorted by case number',
    30,
    filtered(
      (turn) => [
        { id: 'PRIV_DOC_PRODUCT_GROUP', operator: 'EQUALS', value: options[turn % options.length] ?? '' },
        { id: 'ACCOUNT_NUMBER', operator: 'LIKE', value: '%1090%' },
        { id: 'REG_DATE', operator: 'GQ', value: days(turn) },
      ],
      [{ by: 'PRIV_CASE_NUMBER', order: 'asc' }],
    ),
  ),
  within(
    'lists-free-text',
    '100 055 searched by the free text',
    22,
    large((turn) => queryOf({ isOfAllTime: true, text: `%${String(100_000 + ((turn * 7_919) % 900_000))}%` })),
  ),
  within(
    'lists-free-text-frequent',
    'the first page and the number of those that have a text that a third of 100 055 has',
    30,
    large((turn) => since(turn, { text: '%umow%' })),
  ),
  within(
    'lists-free-text-sorted',
    'a text that a third of 100 055 has, sorted by case number',
    30,
    large((turn) => since(turn, { text: '%umow%', sort: [{ by: 'PRIV_CASE_NUMBER', order: 'asc' }] })),
  ),
  within(
    'lists-free-text-account',
    'a text that is an account number with spaces, of a fifth of 100 055',
    30,
    large((turn) => since(turn, { text: `%${accountOf(turn)}%` })),
  ),
  within(
    'lists-filter-account',
    '100 055 narrowed to one account number of five',
    30,
    having((turn) => ({ id: 'ACCOUNT_NUMBER', operator: 'EQUALS', value: accountOf(turn) })),
  ),
  within(
    'lists-filter-cif',
    '100 055 narrowed by customer number',
    30,
    having(() => ({ id: 'CIF', operator: 'LIKE', value: '%lar%' })),
  ),
  within(
    'lists-filter-cif2',
    '100 055 narrowed by second customer number, which none has',
    30,
    having(() => ({ id: 'CIF2', operator: 'EQUALS', value: 'large' })),
  ),
  within(
    'lists-filter-recipient',
    '100 055 narrowed by recipient',
    30,
    having(() => ({ id: '14', operator: 'EQUALS', value: 'large' })),
  ),
  within(
    'lists-filter-checksum',
    '100 055 searched for a part of a checksum',
    30,
    having((turn) => ({ id: 'CHECKSUM_SHA256', operator: 'LIKE', value: `%${(turn * 2_654_435_761).toString(16).slice(-7)}%` })),
  ),
  within('lists-key-file-name', '100 055 searched for a part of a file name', 22, filtered(fileNames)),
  within('lists-key-bar-number', '100 055 searched for a bar number', 22, filtered(barNumbers)),
  within(
    'lists-key-size',
    '100 055 narrowed by their size',
    30,
    filtered((turn) => [{ id: '4', operator: 'GQ', value: 900_000 + turn * 31 }]),
  ),
  within(
    'lists-key-expiry',
    '100 055 narrowed by their day of expiry, sorted by retention',
    30,
    filtered((turn) => [{ id: '11', operator: 'GQ', value: days(turn) }], [{ by: 'RETENTION_DATE', order: 'desc' }]),
  ),
];

const valuesOf = (key: string): Asked => ({ ...large((turn) => since(turn)), key });

/** What filters offer: the different values of a key. */
export const values: readonly Promised[] = [
  within('values-option', 'the product groups among 100 055 documents', 30, valuesOf('PRIV_DOC_PRODUCT_GROUP')),
  within('values-date', 'the first 200 of the days of registration among 100 055 documents', 30, valuesOf('REG_DATE')),
  within('values-text', 'the first 200 of 95 000 case numbers', 100, valuesOf('PRIV_CASE_NUMBER')),
  ratio('values-owner', 'the product groups of an owner of 100 000 asked again, against those of an owner of 100', 2, {
    ours: { ...large(opening), key: 'PRIV_DOC_PRODUCT_GROUP' },
    floor: { documents: million, owner: 'small', makeQuery: opening, key: 'PRIV_DOC_PRODUCT_GROUP' },
  }),
];

const everybodys = (query: Parameters<typeof queryOf>[0] = {}): Asked => ({
  ...large((turn) => publicOf(since(turn, query))),
  isPublic: true,
});
const publicOf = (query: DocumentQuery): DocumentQuery => ({
  ...query,
  criteria: { ...query.criteria, metadata: [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }] },
});
const publicOpening: Asked = { ...large(() => publicOf(queryOf({ isOfAllTime: true }))), isPublic: true };
const publicBare: Asked = { ...publicOpening, isBare: true };

/** 2 000 public documents among a million, for people without a session. */
export const publicLists: readonly Promised[] = [
  ratio('public-list', 'the public list as it opens, against bare Fastify and the same prepared rows query', 2.5, {
    ours: { ...publicOpening, total: 2_000 },
    floor: publicBare,
  }),
  within('public-search', '2 000 public documents searched by the free text', 10, everybodys({ text: '%regulamin nr 5%' }), publicBare),
  within(
    'public-sort',
    '2 000 public documents sorted by name',
    10,
    everybodys({ sort: [{ by: 'PUB_FILENAME', order: 'asc' }] }),
    publicBare,
  ),
];

const searched = (makeText: (turn: number) => string): Asked => ({ ...large(opening), makeText });

/** Full text of an owner of 100 000 documents of two pages, among the texts of twice as many. */
export const searches: readonly Promised[] = [
  within(
    'search-rare',
    'a word of a few of 112 000 documents',
    30,
    searched((turn) => `slowo${15_000 + ((turn * 7_919) % 5_000)}`),
  ),
  within(
    'search-several',
    'a frequent word and the beginning of another',
    100,
    searched((turn) => `umowa slowo1${String(turn % 90).padStart(2, '0')}`),
  ),
  within(
    'search-all',
    'a word that all 112 000 documents have',
    250,
    searched(() => 'umowa'),
  ),
];

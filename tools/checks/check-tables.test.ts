import { describe, expect, test } from 'vitest';
import { checkTables, tablesIn, type TableRoom } from './check-tables.ts';
import { plantTree } from './planted-tree.ts';

const shelves = 'server/src/features/shelves';
const books = 'server/src/features/books';
const tables: TableRoom[] = [
  { folder: books, owns: ['book'] },
  { folder: shelves, owns: ['shelf'], lent: [{ tables: ['book'], why: 'shelves with their books in one statement' }] },
  { folder: 'identity/src', owns: ['account'] },
];
const schema = {
  'server/src/platform/database/schema/books.sql': 'create table shelf (id uuid);\ncreate unlogged table book (id uuid);\n',
  'identity/src/database/schema/accounts.sql': 'create table identity.account (id uuid);\n',
};
const innocent = { [`${shelves}/shelves.store.ts`]: `export const found = sql\`select from shelf, book\`;` };

const check = (files: Readonly<Record<string, string>>, rooms: readonly TableRoom[] = tables): string[] =>
  checkTables(plantTree({ 'architecture.json': { tables: rooms }, ...schema, ...innocent, ...files })).problems;

describe('a room may name', () => {
  test.each([
    ['a table of its own', `${books}/books.store.ts`, `db.selectFrom('book as b').selectAll()`],
    ['what is lent to it', `${shelves}/more.store.ts`, `db.selectFrom('shelf').innerJoin('book', 'book.id', 'shelf.book')`],
    ['a table of another schema by that', 'identity/src/accounts.ts', 'sql`update identity.account set id = null`'],
    ['no table, with a word that is also one', `${books}/books.rules.ts`, `export const word = 'shelf'; // select from shelf`],
    ['any table in a test', `${books}/books.test.ts`, 'sql`select from shelf`'],
  ])('%s', (_what, file, source) => {
    expect(check({ [file]: source })).toEqual([]);
  });
});

describe('a room must not name the table of another room', () => {
  const problem = `${books}/books.store.ts:1: shelf belongs to ${shelves}: ask its door, or have it lent in architecture.json`;
  test.each([
    ['in a call', `db.deleteFrom('shelf')`],
    ['in a call with a name of its own', `db.selectFrom('book').leftJoin('shelf as s', 's.id', 'book.shelf')`],
    ['in a statement', 'sql`select id from shelf where true`'],
    ['in a statement with values', 'sql`insert into shelf (id) values (${id})`'],
    ['in a part of a statement', 'const part = sql`exists (select from ${other} join shelf on true)`'],
    ['in a text', `pool.query('update shelf set id = $1')`],
    ['after a comma', 'sql`select from book b, shelf s`'],
    ['in a template within another one', 'sql`select ${isFull ? sql`1 from shelf` : sql`2`}`'],
  ])('%s', (_where, source) => {
    expect(check({ [`${books}/books.store.ts`]: source })).toEqual([problem]);
  });
});

test('a file of no room must not name any table', () => {
  expect(check({ 'server/src/app/start.ts': 'sql`select from book`' })).toEqual([
    `server/src/app/start.ts:1: book belongs to ${books}: ask its door, or have it lent in architecture.json`,
  ]);
});

test('each table has one owner, and each room owns tables that there are', () => {
  const rooms = [...tables, { folder: 'server/src/app', owns: ['shelf', 'box'] }];
  expect(check({ 'server/src/platform/database/migrations/0003-lamps.ts': 'sql`create table lamp (id uuid)`' }, rooms)).toEqual([
    'architecture.json: no room owns the table lamp',
    'architecture.json: there is no table box',
    'architecture.json: two rooms own the table shelf',
  ]);
});

test('what is lent is used', () => {
  const rooms = tables.map((room) => (room.folder === books ? { ...room, lent: [{ tables: ['account'], why: 'once' }] } : room));
  expect(check({}, rooms)).toEqual([`architecture.json: account is lent to ${books}, which does not name it`]);
});

test('a tree without any statement is refused', () => {
  expect(check({ [`${shelves}/shelves.store.ts`]: 'export {};' })).toContain(
    'no table was seen at all: the check is looking in the wrong place',
  );
});

test('lines are told', () => {
  expect(tablesIn('a.ts', { source: 'const a = 1;\n\ndb.selectFrom("book");', known: new Set(['book']) })).toEqual([
    { table: 'book', line: 3 },
  ]);
});

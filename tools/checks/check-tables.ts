/** Compares the tables that each room's statements name with those that architecture.json gives it; alone: `node tools/checks/check-tables.ts`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { report } from './report.ts';
import { filesBelow, isCode, isTest, rootFromArguments } from './source-files.ts';

interface Lent {
  tables: string[];
  /** In a few words. */
  why: string;
}

export interface TableRoom {
  /** The longest matching folder is a file's room. */
  folder: string;
  owns: string[];
  lent?: Lent[];
}

interface Named {
  table: string;
  line: number;
}

/** Tables are made here, or their types are told: nothing of them is asked. */
const withoutRoom = ['server/src/platform/database', 'server/src/testing', 'identity/src/database'];
const madeIn = ['server/src/platform/database', 'identity/src/database'];

/** Every table that a room names though it is neither its own nor lent to it, as `file:line: sentence`, and how many names were checked. */
export function checkTables(root: string): { problems: string[]; looked: number } {
  const rooms = readRooms(root);
  const known = readTables(root);
  const problems = roomProblems(rooms, known);
  const used = new Set<string>();
  let looked = 0;
  for (const file of filesOf(root)) {
    const room = roomOf(rooms, file);
    for (const { table, line } of tablesIn(file, { source: readFileSync(path.join(root, file), 'utf8'), known })) {
      looked += 1;
      used.add(`${room?.folder}: ${table}`);
      if (room === undefined || !mayName(room, table))
        problems.push(`${file}:${line}: ${table} belongs to ${ownerOf(rooms, table)}: ask its door, or have it lent in architecture.json`);
    }
  }
  for (const { folder, lent = [] } of rooms)
    for (const table of lent.flatMap(({ tables }) => tables))
      if (!used.has(`${folder}: ${table}`)) problems.push(`architecture.json: ${table} is lent to ${folder}, which does not name it`);
  // A check that sees nothing must not look like one that found nothing.
  if (looked === 0) problems.push('no table was seen at all: the check is looking in the wrong place');
  return { problems, looked };
}

function filesOf(root: string): string[] {
  return ['server/src', 'identity/src']
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => isCode(file) && !isTest(file) && !withoutRoom.some((folder) => file.startsWith(`${folder}/`)));
}

/** The methods by which Kysely is told a table. */
const asks = /^(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|(?:inner|left|right|full|cross)Join(?:Lateral)?|using|table)$/;
/** A table, or several with commas between them. */
const inStatement = /\b(?:from|join|into|update|using|table)\s+(?:only\s+)?((?:[\w.]+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*[\w.]+)/gi;

/** Those of the known tables that the source asks: in calls of Kysely, and in texts and templates that hold a statement. */
export function tablesIn(file: string, { source, known }: { source: string; known: ReadonlySet<string> }): Named[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new SyntaxError(`${file}: ${errors[0].message}`);
  const found: { table: string; at: number }[] = [];
  const add = (name: string | undefined, at: number): void => {
    const table = name
      ?.trim()
      .split(/\s/)[0]
      ?.replace(/^identity\./, '');
    if (table !== undefined && known.has(table)) found.push({ table, at });
  };
  const addStatement = (text: string, at: number): void => {
    for (const [, tables = ''] of text.matchAll(inStatement)) for (const table of tables.split(',')) add(table, at);
  };
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || !asks.test(callee.property.name)) return;
      if (first?.type === 'Literal' && typeof first.value === 'string') add(first.value, first.start);
    },
    Literal(node) {
      if (typeof node.value === 'string') addStatement(node.value, node.start);
    },
    TemplateLiteral(node) {
      addStatement(node.quasis.map(({ value }) => value.cooked ?? '').join('()'), node.start);
    },
  }).visit(program);
  return found.map(({ table, at }) => ({ table, line: source.slice(0, at).split('\n').length }));
}

function roomProblems(rooms: readonly TableRoom[], known: ReadonlySet<string>): string[] {
  const owned = rooms.flatMap(({ owns }) => owns);
  return [
    ...[...known].filter((table) => !owned.includes(table)).map((table) => `architecture.json: no room owns the table ${table}`),
    ...owned.filter((table) => !known.has(table)).map((table) => `architecture.json: there is no table ${table}`),
    ...owned.filter((table, index) => owned.indexOf(table) < index).map((table) => `architecture.json: two rooms own the table ${table}`),
  ];
}

const mayName = ({ owns, lent = [] }: TableRoom, table: string): boolean =>
  owns.includes(table) || lent.some(({ tables }) => tables.includes(table));

const ownerOf = (rooms: readonly TableRoom[], table: string): string => rooms.find(({ owns }) => owns.includes(table))?.folder ?? 'no room';

const roomOf = (rooms: readonly TableRoom[], file: string): TableRoom | undefined =>
  rooms.filter(({ folder }) => file.startsWith(`${folder}/`)).toSorted((a, b) => b.folder.length - a.folder.length)[0];

/** What the files of the schema create. */
function readTables(root: string): Set<string> {
  const texts = madeIn
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => file.endsWith('.sql') || file.includes('/migrations/'))
    .map((file) => readFileSync(path.join(root, file), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/create (?:unlogged )?table (?:identity\.)?(\w+)/g)].map(([, table = '']) => table)),
  );
}

function readRooms(root: string): TableRoom[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file; a wrong shape fails in the first line that uses it
  return (JSON.parse(readFileSync(path.join(root, 'architecture.json'), 'utf8')) as { tables: TableRoom[] }).tables;
}

if (import.meta.main) {
  const { problems, looked } = checkTables(rootFromArguments());
  report(problems, `${looked} tables are named by the rooms that may`);
}

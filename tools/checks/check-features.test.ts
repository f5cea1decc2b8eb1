import { expect, test } from 'vitest';
import { checkFeatures } from './check-features.ts';
import { plantTree } from './planted-tree.ts';

const counts = 'A16 B20 C6 D20 E9 F13 G8 H10 I3 J2 K6 L3 M4 N7 O1 P4 Q5 R6 ID2 T8 U5';
const idsOf = (written: string): string[] => {
  const [, letter = '', count = ''] = /^([A-Z]+)(\d+)$/.exec(written) ?? [];
  return Array.from({ length: Number(count) }, (_, at) => `${letter}${at + 1}`);
};
const ids = ['Q0', ...counts.split(' ').flatMap(idsOf)];
const good = (id: string): string =>
  `| ${id} | something | [door](../server/door.ts) | [door](../server/door.test.ts) “a door opens”, “%s …” |`;

const written = "test('a door opens', () => {});\ntest.each(doors)('%s comes in', () => {});";

const problemsOf = (rows: readonly string[], tests = written): string[] =>
  checkFeatures(plantTree({ 'docs/features.md': `${rows.join('\n')}\n`, 'server/door.ts': '', 'server/door.test.ts': tests })).problems;

const all = ids.map(good);
const instead = (id: string, row: string): string[] => all.map((line) => (line === good(id) ? row : line));

test('a table whose rows all have their files and tests raises nothing', () => {
  expect(problemsOf(all)).toEqual([]);
  expect(problemsOf([...all, '| S1 4 | opening | A1, ID2 |', '| S2 9 | nothing of ours | – |'])).toEqual([]);
});

test('a row that is missing, there twice, or none of ours is named', () => {
  expect(problemsOf(all.slice(1))).toEqual(['docs/features.md: there is no row Q0']);
  expect(problemsOf([...all, good('A1'), good('A17')])).toEqual([
    'docs/features.md: A1 is no row, or has two',
    'docs/features.md: A17 is no row, or has two',
  ]);
  expect(problemsOf([...all, '| S1 4 | opening | A99 |'])).toEqual([
    'docs/features.md: the tables of the specifications name A99, which is no row',
  ]);
});

test('a file that is gone, and a title that no test bears any more, are named', () => {
  expect(problemsOf(instead('B7', '| B7 | x | [gone](../server/gone.ts) | [door](../server/door.test.ts) “a door opens” |'))).toEqual([
    'docs/features.md: B7: there is no server/gone.ts',
  ]);
  expect(problemsOf(instead('B7', '| B7 | x | – | [door](../server/door.test.ts) “a door closes” |'))).toEqual([
    'docs/features.md: B7: server/door.test.ts has no test “a door closes”',
  ]);
});

test('only what comes later may be without a test', () => {
  expect(problemsOf(instead('T1', '| T1 | x | – | later: with the register |'))).toEqual([]);
  expect(problemsOf(instead('T1', '| T1 | x | – | – |'))).toEqual([
    'docs/features.md: T1: names no test, and does not say that it comes later',
  ]);
});

test('no document is a problem', () => {
  expect(checkFeatures(plantTree({ 'README.md': '' })).problems).toEqual(['docs/features.md: has no row at all']);
});

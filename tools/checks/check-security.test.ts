import { expect, test } from 'vitest';
import { checkSecurity } from './check-security.ts';
import { plantTree } from './planted-tree.ts';

const file = 'server/src/door.cases.test.ts';
const titled = (numbers: readonly number[]): string => numbers.map((number) => `test('${number}: is refused', () => {});`).join('\n');
const all = Array.from({ length: 110 }, (_, index) => index + 1);
const row = (number: number): string => `| ${number} | something | ${number === 56 ? 'comes with something' : `[door](../${file})`} |`;

const problemsOf = (rows: readonly string[], tests: string | undefined = titled(all)): string[] =>
  checkSecurity(plantTree({ 'docs/security.md': `${rows.join('\n')}\n`, ...(tests === '' ? {} : { [file]: tests }) })).problems;

test('a table whose cases all have their test raises nothing', () => {
  expect(problemsOf(all.map(row))).toEqual([]);
});

test('a test that is gone is named', () => {
  expect(problemsOf(all.map(row), '')).toContain(`docs/security.md: there is no ${file}`);
});

test('a case without a row, with two, and without a test is named', () => {
  const rows = [...all.filter((number) => number !== 7).map(row), row(8)].map((line) =>
    line.startsWith('| 9 ') ? '| 9 | something | – |' : line,
  );
  expect(problemsOf(rows)).toEqual([
    'docs/security.md: case 7 has no row',
    'docs/security.md: case 8 has 2 rows',
    'docs/security.md: case 9 names no test',
  ]);
});

test('a case of signing in whose number no test carries any more is named', () => {
  expect(problemsOf(all.map(row), titled(all.filter((number) => number !== 22)))).toEqual([
    'docs/security.md: none of the tests of case 22 carries that number',
  ]);
});

test('numbers from one to another count', () => {
  expect(problemsOf(all.map(row), `/** The cases 22 to 68 and 106. */`)).toEqual([]);
});

test('no document, or one without tests, is a problem', () => {
  expect(checkSecurity(plantTree({ 'README.md': '' })).problems).toEqual(['docs/security.md: no test is named at all']);
});

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from '../checks/planted-tree.ts';
import { findFaults } from './find-faults.ts';
import { mutations } from './table.ts';

const root = resolve(import.meta.dirname, '../..');

test('every row changes a text that is in its file exactly once, and names tests that there are', () => {
  expect(findFaults(mutations, root)).toEqual([]);
});

const row = { name: 'bound', rule: 'at most N', file: 'rule.ts', find: 'n <= 5', replace: 'n < 5', tests: ['rule.test.ts'] };
const files = { 'rule.ts': 'const isLetIn = n <= 5;', 'rule.test.ts': '' };

test('a row that fits is taken as it is', () => {
  expect(findFaults([row], plantTree(files))).toEqual([]);
});

test.each([
  ['a text that is gone', [{ ...row, find: 'n <= 6' }], 'bound: its text is 0 times in rule.ts, not once: n <= 6'],
  ['a text that is there twice', [{ ...row, find: 'n' }], 'bound: its text is 3 times in rule.ts, not once: n'],
  ['a file that is gone', [{ ...row, file: 'gone.ts' }], 'bound: there is no gone.ts'],
  ['a test that is gone', [{ ...row, tests: ['gone.test.ts'] }], 'bound: there is no gone.test.ts'],
  ['no test', [{ ...row, tests: [] }], 'bound: names no test'],
  ['no change', [{ ...row, replace: 'n <= 5' }], 'bound: changes nothing'],
  ['a name that another row has', [row, row], 'bound: there are two rows of this name'],
])('a row with %s is named', (_what, rows, fault) => {
  expect(findFaults(rows, plantTree(files))).toContain(fault);
});

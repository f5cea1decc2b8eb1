import { expect, test } from 'vitest';
import { checkContract, checkErrorPage, rowsNamedIn } from './check-contract.ts';

const prefixes = { open: '/api/open/', protected: '/api/protected/' };
const getDocument = { name: 'getDocument', method: 'GET', path: '/api/protected/documents/:id', area: 'protected' };
const everywhere = (...names: string[]): Parameters<typeof checkContract>[2] => ({
  inFeatures: new Set(names),
  inServer: new Set(names),
  inTests: new Set(names),
});

test('a call that is kept and tried raises nothing', () => {
  expect(checkContract({ getDocument }, prefixes, everywhere('getDocument'))).toEqual([]);
});

test('a call without a handler is named, even when the rest of the server mentions it', () => {
  const sources = { ...everywhere('getDocument'), inFeatures: new Set<string>() };
  expect(checkContract({ getDocument }, prefixes, sources)).toEqual([expect.stringContaining('no handler')]);
});

test('health and the like may be answered outside of the features', () => {
  const getHealth = { name: 'getHealth', method: 'GET', path: '/api/health', area: 'system' };
  expect(checkContract({ getHealth }, prefixes, { ...everywhere('getHealth'), inFeatures: new Set() })).toEqual([]);
});

test('a call that no test makes is named', () => {
  const sources = { ...everywhere('getDocument'), inTests: new Set<string>() };
  expect(checkContract({ getDocument }, prefixes, sources)).toEqual([expect.stringContaining('no test calls it')]);
});

test.each([
  ['another area', { ...getDocument, area: 'open' }, 'lies in the area protected'],
  ['no area at all', { ...getDocument, path: '/api/elsewhere' }, 'does not begin with'],
  ['a path outside of the interface', { ...getDocument, path: '/documents' }, 'begins with none of'],
  ['another name', { ...getDocument, name: 'findDocument' }, 'calls itself findDocument'],
])('a row that claims %s is refused', (_name, row, problem) => {
  expect(checkContract({ getDocument: row }, prefixes, everywhere('getDocument'))).toEqual([expect.stringContaining(problem)]);
});

test('two rows at one address are refused, even when their parameters have different names', () => {
  const twin = { ...getDocument, name: 'twin', path: '/api/protected/documents/:documentId' };
  expect(checkContract({ getDocument, twin }, prefixes, everywhere('getDocument', 'twin'))).toEqual([
    expect.stringContaining('is already getDocument'),
  ]);
});

test('an empty contract is not a kept one', () => {
  expect(checkContract({}, prefixes, everywhere())).toHaveLength(1);
});

test('an error code without its line, with another status, or that is none, is named', () => {
  const codes = { GONE: { status: 404 }, BUSY: { status: 403 }, WRONG: { status: 400 } };
  const page =
    '| code | status | when |\n|---|---|---|\n| BUSY | 403, 429 | too often |\n| WRONG | 500 | malformed |\n| ODD | 400 | never |\n';
  expect(checkErrorPage(page, codes)).toEqual([
    expect.stringContaining('when GONE is answered with 404'),
    expect.stringContaining('when WRONG is answered with 400'),
    expect.stringContaining('ODD, which is no code'),
  ]);
});

test('a row counts as named by code, not by a comment or a string', () => {
  const source = `// calls.commented\nconst text = 'calls.quoted';\nroute(calls.kept, handle);\nawait client.call('tried', { id });`;
  expect(rowsNamedIn('a.ts', source)).toEqual(['kept', 'tried']);
});

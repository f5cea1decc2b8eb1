import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkLanguages } from './check-languages.ts';
import { plantTree } from './planted-tree.ts';

const shown = [`t('list.title'); t('list.count', { count })`];
const pl = {
  'list.title': 'Odebrane',
  'list.count_one': '{{count}} a',
  'list.count_few': '{{count}} b',
  'list.count_many': 'c',
  'list.count_other': 'd',
};
const en = { 'list.title': 'Received', 'list.count_one': 'one', 'list.count_other': '{{count}} documents' };

test('languages that say the same, each with its own plural forms, raise nothing', () => {
  expect(checkLanguages({ pl, en }, shown)).toEqual([]);
});

test('a key that one language lacks is named', () => {
  const { 'list.title': _, ...rest } = en;
  expect(checkLanguages({ pl, en: rest }, shown)).toEqual(['en.json lacks list.title']);
});

test('a plural form that Polish needs is named', () => {
  const { 'list.count_few': _, ...rest } = pl;
  expect(checkLanguages({ pl: rest, en }, shown)).toEqual(['pl.json lacks list.count_few']);
});

test('a placeholder that only one language fills is named', () => {
  const problems = checkLanguages({ pl: { ...pl, 'list.title': 'Odebrane ({{size}})' }, en }, shown);
  expect(problems).toEqual([expect.stringContaining('list.title has other placeholders')]);
});

test('a text that nothing shows is named, unless its key is put together from data', () => {
  const extra = { 'old.text': 'x', 'code.ACCESS_DENIED': 'x', 'reason.late': 'x' };
  const sources = [...shown, 't(`reason.${reason}`)'];
  expect(checkLanguages({ pl: { ...pl, ...extra }, en: { ...en, ...extra } }, sources)).toEqual(['old.text is shown nowhere']);
});

test('a text that is shown but written nowhere is named', () => {
  expect(checkLanguages({ pl, en }, [...shown, `t('list.forgotten')`])).toEqual([expect.stringContaining('list.forgotten')]);
});

test.each([
  ['that agree', en, 0, 'texts agree'],
  ['of which one lacks a text', { 'list.count_one': 'one', 'list.count_other': '{{count}}' }, 1, 'en.json lacks list.title'],
  ['that hold a text nothing shows', { ...en, 'old.text': 'x' }, 1, 'old.text is shown nowhere'],
])('the command ends well or badly with languages %s', (_what, english, code, said) => {
  const root = plantTree({ 'languages/pl.json': pl, 'languages/en.json': english, 'web/src/list.tsx': shown.join('') });
  const command = fileURLToPath(new URL('check-languages.ts', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [command, root], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([code, expect.stringContaining(said)]);
});

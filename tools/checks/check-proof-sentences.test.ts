import { expect, test } from 'vitest';
import { checkProofSentences } from './check-proof-sentences.ts';

const table = (...keys: readonly string[]): string =>
  `## Before\n\n| \`verify.title\` | elsewhere | |\n\n## What each sentence rests on\n\n| sentence | says | rests on |\n|---|---|---|\n${keys
    .map((key) => `| \`${key}\` | something | the entry PUBLISHED |`)
    .join('\n')}\n\n## After\n\n| \`verify.title\` | elsewhere | |\n`;
const sentences = { 'receipt.proved': 'The receipt proves that it was published', 'list.sort': 'Date of publication' };

const problemsOf = (text: string, more: Record<string, string> = {}, pl: Record<string, string> = {}): string[] =>
  checkProofSentences(text, { en: { ...sentences, ...more }, pl }).problems;

test('a table that names each sentence about a document’s fate raises nothing', () => {
  expect(problemsOf(table('receipt.proved'))).toEqual([]);
});

test('a sentence without a row is named, whether its words or its family say what it is about', () => {
  expect(problemsOf(table('receipt.proved'), { 'certificate.more': 'Cancelled', 'history.source.MOVED': 'It moved' })).toEqual([
    'docs/durable-medium.md: certificate.more has no row that says what it rests on',
    'docs/durable-medium.md: history.source.MOVED has no row that says what it rests on',
  ]);
});

test('a row of a sentence that is gone, and one that is there twice, are named', () => {
  expect(problemsOf(table('receipt.proved', 'receipt.gone', 'receipt.proved'))).toEqual([
    'docs/durable-medium.md: there is no sentence receipt.gone',
    'docs/durable-medium.md: receipt.proved has two rows',
  ]);
});

test('no sentence of either language says that something was delivered', () => {
  expect(problemsOf(table('receipt.proved'), { 'list.delivered': 'Delivered' }, { 'list.day': 'Doręczono' })).toEqual([
    'en.json: list.delivered says that something was delivered, which no entry proves',
    'pl.json: list.day says that something was delivered, which no entry proves',
  ]);
});

test('a document without the table is not one that is right', () => {
  expect(problemsOf('')).toContain('docs/durable-medium.md: no sentence is named at all');
});

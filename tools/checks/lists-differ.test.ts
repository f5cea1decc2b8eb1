import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** As long as this, what two lists share belongs into the room of all lists. */
const longest = 6;
const features = fileURLToPath(new URL('../../web/src/features', import.meta.url));
/** Received documents and statements are two plans of one folder. */
const lists = ['received-documents', 'public-documents', 'sent-documents'] as const;

interface Code {
  readonly file: string;
  readonly lines: readonly string[];
}

/** Without what carries no meaning of its own: blank lines, comments, imports, brackets. */
const codeOf = (text: string): readonly string[] =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => /\w/.test(line) && !line.startsWith('//') && !/^import\b/.test(line));

const filesOf = (list: string): readonly Code[] =>
  readdirSync(path.join(features, list))
    .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes('.test.'))
    .map((file) => ({ file: `${list}/${file}`, lines: codeOf(readFileSync(path.join(features, list, file), 'utf8')) }));

const sharedRuns = (one: Code, other: Code): readonly string[] => {
  const runsOf = ({ lines }: Code): readonly string[] =>
    lines.slice(0, Math.max(0, lines.length - longest + 1)).map((_, index) => lines.slice(index, index + longest).join('\n'));
  const known = new Set(runsOf(other));
  return runsOf(one)
    .filter((run) => known.has(run))
    .map((run) => `${one.file} and ${other.file} share\n${run}`);
};

test('a run of six lines in two files is found, also with other indentation and comments', () => {
  const text = Array.from({ length: 7 }, (_, i) => `  const line${i} = ${i};`).join('\n');
  const other = text.replaceAll('  ', '').replace('\n', '\n// why\n');
  expect(sharedRuns({ file: 'a', lines: codeOf(text) }, { file: 'b', lines: codeOf(other) })).toHaveLength(2);
  expect(sharedRuns({ file: 'a', lines: codeOf(text) }, { file: 'b', lines: codeOf(text.replace('line3', 'line9')) })).toEqual([]);
});

test('the lists of received, public and sent documents and of statements differ by data only', () => {
  const files = lists.flatMap(filesOf);
  expect(files.filter(({ file }) => file.endsWith('.plan.ts'))).toHaveLength(3);
  const shared = files.flatMap((one, at) => files.slice(at + 1).flatMap((other) => sharedRuns(one, other)));
  expect(shared).toEqual([]);
});

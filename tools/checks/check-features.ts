/**
 * What docs/features.md says is true: every row is there once, its files exist, and so do the titles of its tests; a row without a test says
 * that it comes later. Alone: `node tools/checks/check-features.ts`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { report } from './report.ts';
import { rootFromArguments } from './source-files.ts';

const page = 'docs/features.md';

/** How many rows each letter has; those of errors begin with 0. */
const rowCounts = {
  A: 16,
  B: 20,
  C: 6,
  D: 20,
  E: 9,
  F: 13,
  G: 8,
  H: 10,
  I: 3,
  J: 2,
  K: 6,
  L: 3,
  M: 4,
  N: 7,
  O: 1,
  P: 4,
  Q: 5,
  R: 6,
  ID: 2,
  T: 8,
  U: 5,
} as const;

const expected: readonly string[] = ['Q0', ...Object.entries(rowCounts).flatMap(([letter, count]) => numbered(letter, count))];

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

export function checkFeatures(root: string): { problems: string[]; rows: number } {
  const text = existsSync(path.join(root, page)) ? readFileSync(path.join(root, page), 'utf8') : '';
  const rows = [...text.matchAll(/^\| ([A-Z]+\d+) \| (.*) \| (.*) \| (.*) \|$/gm)].map(([, id = '', what = '', where = '', test = '']) => ({
    id,
    what,
    where,
    test,
  }));
  // A check that sees nothing must not look like one that found nothing.
  if (rows.length === 0) return { problems: [`${page}: has no row at all`], rows: 0 };
  const sources = new Map<string, string | undefined>();
  const sourceOf = (file: string): string | undefined => {
    if (!sources.has(file)) sources.set(file, existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : undefined);
    return sources.get(file);
  };
  const ids = rows.map(({ id }) => id);
  const problems = [
    ...expected.filter((id) => !ids.includes(id)).map((id) => `${page}: there is no row ${id}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index || !expected.includes(id)).map((id) => `${page}: ${id} is no row, or has two`),
    ...rows.flatMap((row) => problemsOf(row, sourceOf).map((problem) => `${page}: ${row.id}: ${problem}`)),
    ...referencesIn(text)
      .filter((id) => !expected.includes(id))
      .map((id) => `${page}: the tables of the specifications name ${id}, which is no row`),
  ];
  return { problems, rows: rows.length };
}

type SourceOf = (file: string) => string | undefined;

function problemsOf({ where, test }: { where: string; test: string }, sourceOf: SourceOf): string[] {
  const gone = [...filesIn(where), ...filesIn(test)].filter((file) => sourceOf(file) === undefined);
  if (gone.length > 0) return gone.map((file) => `there is no ${file}`);
  const tests = titlesIn(test);
  if (tests.length === 0) return test.startsWith('later') ? [] : ['names no test, and does not say that it comes later'];
  return tests
    .filter(({ file, title }) => !hasTitle(sourceOf(file) ?? '', title))
    .map(({ file, title }) => `${file} has no test “${title}”`);
}

const filesIn = (cell: string): string[] => [...cell.matchAll(/\]\(\.\.\/([^)]+)\)/g)].flatMap(([, file]) => file ?? []);

/** `[x](../x.test.ts) “one title”, “another …”`: the beginning of a title ends with an ellipsis. */
const titlesIn = (cell: string): { file: string; title: string }[] =>
  [...cell.matchAll(/\]\(\.\.\/([^)]+)\)((?:,? “[^”]+”)*)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
  );

/** As it is in the source: placeholders of `test.each` are part of it. */
const hasTitle = (source: string, title: string): boolean => {
  const begun = title.endsWith('…') ? title.slice(0, -1).trimEnd() : undefined;
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${begun ?? `${title}${quote}`}`));
};

/** `| S1 4 | … | F1, F2 |` */
const referencesIn = (text: string): string[] =>
  [...text.matchAll(/^\| S[12] \d+ \| .* \| ([^|]*) \|$/gm)].flatMap(([, ids = '']) => ids.split(', ').filter((id) => id !== '–'));

if (import.meta.main) {
  const { problems, rows } = checkFeatures(rootFromArguments());
  report(problems, `${rows} rows of ${page} have their files and their tests`);
}

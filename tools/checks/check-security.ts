/** What docs/security.md says about tests is true: its files exist, and every negative case has a test that carries its number. Alone: `node tools/checks/check-security.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { report } from './report.ts';
import { rootFromArguments } from './source-files.ts';

const document = 'docs/security.md';
const caseCount = 110;
/** Cases whose tests carry the number in their words; those of other files were named before there were numbers. */
const isNumbered = (number: number): boolean => (number >= 22 && number <= 68) || number === 106;

export function checkSecurity(root: string): { problems: string[]; looked: number } {
  const text = existsSync(path.join(root, document)) ? readFileSync(path.join(root, document), 'utf8') : '';
  const files = new Set(filesIn(text));
  // A check that sees nothing must not look like one that found nothing.
  if (files.size === 0) return { problems: [`${document}: no test is named at all`], looked: 0 };
  const gone = [...files].filter((file) => !existsSync(path.join(root, file)));
  return { problems: [...gone.map((file) => `${document}: there is no ${file}`), ...caseProblems(root, text)], looked: files.size };
}

const filesIn = (text: string): string[] => [...text.matchAll(/\]\(\.\.\/([\w./-]+\.test\.tsx?)\)/g)].flatMap(([, file]) => file ?? []);

function caseProblems(root: string, text: string): string[] {
  const rows = new Map<number, string[]>();
  for (const [row, number] of text.matchAll(/^\| (\d+) \|.*\|$/gm)) rows.set(Number(number), [...(rows.get(Number(number)) ?? []), row]);
  const problems: string[] = [];
  for (let number = 1; number <= caseCount; number += 1) {
    const [row, ...more] = rows.get(number) ?? [];
    if (row === undefined || more.length > 0) {
      problems.push(`${document}: case ${number} has ${more.length === 0 ? 'no row' : `${more.length + 1} rows`}`);
      continue;
    }
    const files = filesIn(row);
    if (files.length === 0 && !row.includes('comes with ')) problems.push(`${document}: case ${number} names no test`);
    const isThere = files.length === 0 || files.some((file) => numbersIn(root, file).has(number));
    if (isNumbered(number) && !isThere) problems.push(`${document}: none of the tests of case ${number} carries that number`);
  }
  return problems;
}

/** The numbers that a test's comments and titles name: `'22: …'`, `66, 90: …`, `the cases 44 and 46 to 48`. */
function numbersIn(root: string, file: string): Set<number> {
  const source = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '';
  const lists = [...source.matchAll(/(?:['"`]|\/\*\* )(\d[\d, ]*):|\bcases? (\d(?:\d|, | and | to )*)/g)].map(
    ([, title, words]) => title ?? words ?? '',
  );
  const numbers = new Set<number>();
  for (const list of lists)
    for (const [, first, last] of list.matchAll(/(\d+)(?: to (\d+))?/g))
      for (let number = Number(first); number <= Number(last ?? first); number += 1) numbers.add(number);
  return numbers;
}

if (import.meta.main) {
  const { problems, looked } = checkSecurity(rootFromArguments());
  report(problems, `${looked} tests that ${document} names are there, and ${caseCount} cases have their row`);
}

/** Names that say nothing, names in the wrong case, and style sheets too long to read. Alone: `node tools/checks/check-names.ts`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { report } from './report.ts';
import { entriesBelow, rootFromArguments, workspaces } from './source-files.ts';

const forbidden = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc', 'lib', 'core', 'manager']);
/** For what the linter does not measure. */
const maxStyleLines = 300;

export function checkNames(root: string): { problems: string[]; looked: number } {
  const entries = [...workspaces, 'design', 'languages', 'docs'].flatMap((folder) => entriesBelow(root, folder));
  const problems = entries.flatMap((entry) => {
    const name = path.posix.basename(entry);
    const words = name.toLowerCase().split(/[.\-_]/);
    if (words.some((word) => forbidden.has(word)) || /(Utils?|Helpers?|Manager)\b/.test(name))
      return [`${entry}: the name says nothing; name the thing`];
    if (!isWellFormed(name)) return [`${entry}: files and folders are kebab-case, components PascalCase, hooks useX`];
    if (!name.endsWith('.css')) return [];
    const lines = readFileSync(path.join(root, entry), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '').length;
    return lines > maxStyleLines ? [`${entry}: ${lines} lines, at most ${maxStyleLines}`] : [];
  });
  return { problems, looked: entries.length };
}

/** Only our own sources have a prescribed case: fonts and documents keep the names they came with. */
function isWellFormed(name: string): boolean {
  if (!/\.([cm]?[jt]sx?|css)$/.test(name)) return true;
  const stem = name.replace(/(\.test|\.module|\.d)*\.([cm]?[jt]sx?|css)$/, '');
  if (name.endsWith('x') || name.endsWith('.module.css') || name.endsWith('.test.tsx'))
    return /^[A-Z][A-Za-z0-9]*$/.test(stem) || /^use[A-Z]\w*$/.test(stem) || isKebab(stem);
  return isKebab(stem) || /^use[A-Z][A-Za-z0-9]*$/.test(stem);
}

function isKebab(stem: string): boolean {
  return /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(stem);
}

if (import.meta.main) {
  const { problems, looked } = checkNames(rootFromArguments());
  report(problems, `${looked} names say what they are`);
}

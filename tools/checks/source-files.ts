import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const workspaces = ['contract', 'ledger', 'server', 'identity', 'web', 'cli', 'tools', 'bench', 'e2e'];

/** The repository's root, or the folder named on the command line (a planted tree in a test). */
export function rootFromArguments(): string {
  return path.resolve(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
}

const generated = new Set(['node_modules', 'dist', 'coverage', 'data', 'test-results', 'playwright-report']);

/** Every file below `folder` that a person wrote, as paths relative to `root` with `/`, in a stable order. */
export function filesBelow(root: string, folder: string): string[] {
  return entriesBelow(root, folder).filter((entry) => !entry.endsWith('/'));
}

/** Like `filesBelow`, with the folders too; a folder's path ends with `/`. */
export function entriesBelow(root: string, folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => !name.startsWith('.') && !generated.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      return entry.isDirectory() ? [`${name}/`, ...entriesBelow(root, name)] : [name];
    });
}

export function isTest(file: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(file);
}

export function isCode(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file) && !file.endsWith('.d.ts');
}

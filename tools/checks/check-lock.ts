/**
 * What would break the next clone: a platform package missing from the lock (npm drops it silently where its registry lacks it, and `npm ci`
 * refuses elsewhere), an address of one registry, a version that is not exact. Alone: `node tools/checks/check-lock.ts`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { report } from './report.ts';
import { rootFromArguments, workspaces } from './source-files.ts';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  overrides?: Record<string, string>;
}

export function checkLock(root: string): { problems: string[]; looked: number } {
  const { packages } = readJson(path.join(root, 'package-lock.json'));
  const problems: string[] = [];
  for (const [place, locked] of Object.entries(packages)) {
    if (locked.resolved !== undefined && locked.link !== true) problems.push(`package-lock.json: ${place} has the address of a registry`);
    if (place.includes('node_modules/') && locked.link !== true && locked.integrity === undefined)
      problems.push(`package-lock.json: ${place} has no integrity hash`);
    for (const name of Object.keys(locked.optionalDependencies ?? {}))
      if (!isLocked(packages, { from: place, name }))
        problems.push(`package-lock.json: ${place || 'the root'} names ${name}, which is not locked`);
  }
  for (const folder of ['', ...workspaces]) {
    const file = path.posix.join(folder, 'package.json');
    if (!existsSync(path.join(root, file))) continue;
    const { dependencies, devDependencies, optionalDependencies, overrides } = readJson(path.join(root, file));
    const asked = { ...dependencies, ...devDependencies, ...optionalDependencies };
    const known = packages[folder];
    if (
      known !== undefined &&
      inOrder(asked) !== inOrder({ ...known.dependencies, ...known.devDependencies, ...known.optionalDependencies })
    )
      problems.push(`${file} and package-lock.json disagree: run npm install and commit both`);
    for (const [name, version] of Object.entries({ ...asked, ...overrides }))
      if (!/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))
        problems.push(`${file}: ${name} is pinned to '${version}', which is not one exact version`);
  }
  return { problems, looked: Object.keys(packages).length };
}

function inOrder(versions: Record<string, string>): string {
  return JSON.stringify(Object.entries(versions).toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Looked up as Node does: beside the package itself, then in every folder above it. */
function isLocked(packages: Record<string, LockedPackage>, { from, name }: { from: string; name: string }): boolean {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
    if (packages[place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`] !== undefined) return true;
    if (place === '') return false;
  }
}

function readJson(file: string): LockFile & Manifest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm's own formats
  return JSON.parse(readFileSync(file, 'utf8')) as LockFile & Manifest;
}

if (import.meta.main) {
  const { problems, looked } = checkLock(rootFromArguments());
  report(problems, `${looked} packages are locked for every platform`);
}

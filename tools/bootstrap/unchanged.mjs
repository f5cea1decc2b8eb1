/** Checks that passed are not repeated on the same files: what each passed on is kept beside the packages, as the compiler keeps its own. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const generated = new Set(['node_modules', 'dist', 'coverage', 'data', 'test-results', 'playwright-report']);

/**
 * A hash of the names and contents of all files at or below these places. What begins with a dot or is generated is left out below a folder.
 *
 * @param {string} root
 * @param {readonly string[]} places from the root
 */
export function hashOf(root, places) {
  const hash = createHash('sha256');
  for (const file of [...new Set(places)].flatMap((place) => filesAt(root, place))) {
    const content = fs.readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesAt(root, place) {
  const stat = fs.statSync(path.join(root, place), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [place];
  return fs
    .readdirSync(path.join(root, place))
    .filter((name) => !name.startsWith('.') && !generated.has(name))
    .toSorted()
    .flatMap((name) => filesAt(root, `${place}/${name}`));
}

/**
 * @param {string} folder where it is kept
 * @returns {{ has: (name: string, hash: string) => boolean, keep: (name: string, hash: string) => void }}
 */
export function openPassed(folder) {
  const fileOf = (name) => path.join(folder, name.replaceAll(' ', '-'));
  return {
    has(name, hash) {
      try {
        return fs.readFileSync(fileOf(name), 'utf8') === hash;
      } catch {
        return false;
      }
    },
    keep(name, hash) {
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(fileOf(name), hash);
    },
  };
}

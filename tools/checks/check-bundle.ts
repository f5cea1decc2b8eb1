/**
 * The budget of what a page loads before anything is clicked, read from the build's manifest: bytes (brotli) and scripts of the sign-in page and
 * of the empty workspace. Over HTTP/1.1 a browser asks for six files at once, so that a script too many delays the first paint.
 * Needs web/dist. Alone: `node tools/checks/check-bundle.ts`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { report } from './report.ts';
import { rootFromArguments } from './source-files.ts';

interface Chunk {
  file: string;
  src?: string;
  imports?: string[];
}

type Manifest = Record<string, Chunk>;

const kB = 1000;
const pages = [
  { page: 'sign-in', route: 'src/app/SignIn.tsx', maxBytes: 100 * kB, maxScripts: 6 },
  { page: 'workspace', route: 'src/app/Workspace.tsx', maxBytes: 165 * kB, maxScripts: 8 },
];

/** Bytes by page, and a sentence for each page over its budget. */
export function checkBundle(root: string): { problems: string[]; lines: string[] } {
  const dist = path.join(root, 'web/dist');
  const manifest = readManifest(path.join(dist, '.vite/manifest.json'));
  const measured = pages.map(({ page, route, ...allowed }) => {
    const files = [...filesLoadedBy(manifest, ['index.html', route])].filter((file) => file.endsWith('.js'));
    return { page, ...allowed, scripts: files.length, bytes: files.reduce((total, file) => total + brotliBytes(path.join(dist, file)), 0) };
  });
  const line = ({ page, bytes, maxBytes, scripts, maxScripts }: (typeof measured)[number]) =>
    `${page}: ${(bytes / kB).toFixed(1)} kB brotli in ${scripts} scripts; ${maxBytes / kB} kB in ${maxScripts} are allowed`;
  return {
    problems: measured.filter(({ bytes, maxBytes, scripts, maxScripts }) => bytes > maxBytes || scripts > maxScripts).map(line),
    lines: measured.map(line),
  };
}

/** A chunk with all that its static imports draw in; what is only reached by `import()` is not part of the first load. */
function filesLoadedBy(manifest: Manifest, entries: string[]): Set<string> {
  const files = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`${key} is not in web/dist/.vite/manifest.json: is the page still a chunk of its own?`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  entries.forEach(visit);
  return files;
}

/** Of the compressed file that is served, when the build wrote one. */
function brotliBytes(file: string): number {
  try {
    return readFileSync(`${file}.br`).length;
  } catch {
    return brotliCompressSync(readFileSync(file)).length;
  }
}

function readManifest(file: string): Manifest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Vite's own format
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

if (import.meta.main) {
  const { problems, lines } = checkBundle(rootFromArguments());
  report(problems, lines.join('\n'));
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

const chunk = z.object({ file: z.string(), imports: z._default(z.array(z.string()), []), css: z._default(z.array(z.string()), []) });
const manifestForm = z.record(z.string(), chunk);
/** What the build made of each source, and what that draws in. */
export type Manifest = z.output<typeof manifestForm>;

const entry = 'index.html';
/** A new tab begins in the default language; if only the script asked for its sentences, more than a round trip would pass first. */
const sentences = '<link rel="preload" as="fetch" crossorigin href="/resources/r/lang?lang=PL">';

/** Of a client that was built without one, and whose pages therefore load one thing after the other: nothing. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const file = join(folder, '.vite/manifest.json');
  return existsSync(file) ? manifestForm.parse(JSON.parse(await readFile(file, 'utf8'))) : {};
};

/**
 * Preloads for the head of a page, so that the browser fetches everything at once: the scripts and styles of its code that the page does not name
 * itself, and the sentences. On a slow line each of them would otherwise be a further round trip.
 */
export const tagsOf = (manifest: Manifest, code: readonly string[]): readonly string[] => {
  if (manifest[entry] === undefined) return [];
  const tag = (file: string): string =>
    isStyle(file)
      ? `<link rel="preload" as="style" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`;
  // Over HTTP/1.1 a browser opens six connections: the smallest file that everything waits for comes first.
  return [sentences, ...furtherFiles(manifest, code).map(tag)];
};

/**
 * The head of a prerendered page: the styles of this code are for what is there already, and so come before every
 * script. It is painted before its own script runs; another one chooses its colours and its language.
 */
export const withHeadOfDrawn = (
  html: string,
  { manifest, code }: { readonly manifest: Manifest; readonly code: readonly string[] },
): string => {
  const further = furtherFiles(manifest, code).filter(isStyle);
  const styles = further.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">\n    `).join('');
  const tags = tagsOf(manifest, code).filter((tag) => !tag.includes('as="style"'));
  const waiting = `blocking="render" crossorigin src="/${manifest[entry]?.file}"`;
  return withTags(html, tags)
    .replace('<script', () => `${styles}<script`)
    .replace(waiting, () => waiting.replace('blocking="render" ', ''));
};

/** The page with this at the end of its head. Found there, it is loaded beside the page's own scripts and styles and holds nothing up. */
export const withTags = (html: string, tags: readonly string[]): string =>
  html.replace('</head>', () => `${tags.map((tag) => `  ${tag}\n  `).join('')}</head>`);

const isStyle = (file: string): boolean => file.endsWith('.css');

const furtherFiles = (manifest: Manifest, code: readonly string[]): readonly string[] => {
  const known = filesLoadedBy(manifest, [entry]);
  return [...filesLoadedBy(manifest, code)].filter((file) => !known.has(file));
};

/** With all that is imported, without what is only reached by `import()`. */
const filesLoadedBy = (manifest: Manifest, sources: readonly string[]): ReadonlySet<string> => {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (source: string): void => {
    const made = manifest[source];
    if (made === undefined || seen.has(source)) return;
    seen.add(source);
    made.imports.forEach(visit);
    for (const file of [...made.css, made.file]) files.add(file);
  };
  sources.forEach(visit);
  return files;
};

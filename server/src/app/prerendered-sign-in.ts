import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { Log } from '#platform/log/log.ts';

/** Code → sentences; the first is the default language. */
export type SpokenLanguages = ReadonlyMap<string, Readonly<Record<string, string>>>;

const drawn = z.record(z.string(), z.string());

/**
 * The sign-in page as the client itself draws it, by language: on a slow line it is seen, and typed into, long before its code is there. The
 * build leaves the program for that, which runs in a thread of its own: afterwards neither it nor React take up memory here. Without it, or
 * when it fails, there is no drawing, and the page is shown by its code alone.
 */
export const prerenderSignIn = async (
  folder: string,
  { languages, log }: { readonly languages: SpokenLanguages; readonly log: Log },
): Promise<ReadonlyMap<string, string>> => {
  const program = join(folder, '.vite/prerender-sign-in.mjs');
  if (!existsSync(program)) return new Map();
  try {
    const worker = new Worker(program, { workerData: Object.fromEntries(languages), execArgv: [], env: {}, name: 'prerender' });
    const message: unknown[] = await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
    return new Map(Object.entries(drawn.parse(message[0])));
  } catch (error) {
    log.error({ err: error }, 'the sign-in page could not be drawn');
    return new Map();
  }
};

/** The page with its prerendered markup: the default language where the code puts its own, the others beside it, for a script to choose from. */
export const withPrerendered = (html: string, looks: ReadonlyMap<string, string>): string => {
  const [house, ...others] = looks;
  if (house === undefined) return html;
  const templates = others.map(([language, look]) => `\n    <template data-language="${language}">${look}</template>`);
  return html
    .replace('<html ', '<html data-drawn ')
    .replace('<div id="root"></div>', () => `<div id="root">${house[1]}</div>${templates.join('')}`);
};

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { etagOf } from '#platform/http/etag.ts';
import { BrandingError } from './branding-error.ts';
import { completeLanguage, findFaults, type FreeSentences, languagesKey, nameKey, type Sentences } from './sentences.rules.ts';

export interface Language {
  /** `PL`, `EN`, or what the installation brings. */
  readonly code: string;
  /** In its own words. */
  readonly name: string;
  readonly sentences: Sentences;
  /** The sentences as JSON, by brotli; compressed at the first request. */
  readonly compressed: () => Buffer;
  readonly etag: string;
}

/** In the order in which they are offered; the first is the default. */
const productLanguages = ['PL', 'EN'] as const;
const fallbackCode = 'EN';
const maxBytes = 2 * 1024 * 1024;

const fileNamePattern = /^([a-z]{2,3})\.json$/;

/** Throws an error whose message ends a sentence about the file. */
const parseObject = (bytes: Buffer): Record<string, unknown> => {
  if (bytes.length > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const read: unknown = JSON.parse(text);
  if (read === null || typeof read !== 'object' || Array.isArray(read)) throw new Error('is no JSON object');
  return { ...read };
};

const readProduct = async (folder: URL, code: string): Promise<Sentences> => {
  const read = parseObject(await readFile(new URL(`${code.toLowerCase()}.json`, folder)));
  const sentences: Record<string, string> = {};
  for (const [key, sentence] of Object.entries(read)) if (typeof sentence === 'string') sentences[key] = sentence;
  return sentences;
};

/** The installation's own sentences by language code, not yet compared with the product's. */
const readOwn = async (folder: string | undefined): Promise<Map<string, Record<string, unknown>>> => {
  const own = new Map<string, Record<string, unknown>>();
  if (folder === undefined || !existsSync(join(folder, 'languages'))) return own;
  const problems: string[] = [];
  for (const name of (await readdir(join(folder, 'languages'))).filter((entry) => !entry.startsWith('.')).toSorted()) {
    const [, code] = fileNamePattern.exec(name) ?? [];
    if (code === undefined) {
      problems.push(`languages/${name}: a language’s file is called by two or three small letters, like de.json`);
      continue;
    }
    try {
      own.set(code.toUpperCase(), parseObject(await readFile(join(folder, 'languages', name))));
    } catch (error) {
      problems.push(`languages/${name}: cannot be read as JSON in UTF-8 (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  if (problems.length > 0) throw new BrandingError(problems);
  return own;
};

const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';

/**
 * All languages of the portal: the product's with the installation's sentences laid over them, and those the installation adds, with
 * English for missing sentences. `facts` are sentences that the settings decide.
 * @throws BrandingError naming every file and key that does not fit
 */
export const readLanguages = async ({
  product,
  folder,
  facts,
  free,
}: {
  product: URL;
  folder: string | undefined;
  facts: Sentences;
  free: FreeSentences;
}): Promise<Language[]> => {
  const own = await readOwn(folder);
  const products = new Map<string, Sentences>();
  for (const code of productLanguages) products.set(code, await readProduct(product, code));
  const problems: string[] = [];
  const whole = new Map<string, Sentences>();
  const furtherCodes = [...own.keys()].filter((code) => !products.has(code));
  for (const code of [...productLanguages, ...furtherCodes]) {
    const laidOver = own.get(code) ?? {};
    // A further language is checked against English, which it is also completed by.
    const base = products.get(code) ?? products.get(fallbackCode) ?? {};
    const file = `languages/${code.toLowerCase()}.json`;
    problems.push(...findFaults({ product: base, own: laidOver, free }).map((fault) => `${file}: ${fault}`));
    if (!products.has(code) && laidOver[nameKey] === undefined)
      problems.push(`${file}: a further language says its own name as ${JSON.stringify(nameKey)}`);
    const sentences = Object.fromEntries(Object.entries(laidOver).filter(isText));
    const fallback = whole.get(fallbackCode) ?? {};
    whole.set(code, { ...(products.has(code) ? { ...base, ...sentences } : completeLanguage(fallback, sentences)), ...facts });
  }
  if (problems.length > 0) throw new BrandingError(problems);
  const nameOf = (code: string): string => whole.get(code)?.[nameKey] ?? code;
  const offered = [...whole.keys()].map((code) => `${code} ${nameOf(code)}`).join('\n');
  return [...whole].map(([code, said]) => {
    const sentences = { ...said, [languagesKey]: offered };
    const json = JSON.stringify(sentences);
    let kept: Buffer | undefined;
    return { code, name: nameOf(code), sentences, compressed: () => (kept ??= brotliCompressSync(json)), etag: etagOf(json) };
  });
};

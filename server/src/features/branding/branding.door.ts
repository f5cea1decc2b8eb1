import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { calls, type LanguageCode } from '@pergamin/contract';
import { route, type Bytes, type Route } from '#platform/http/route.ts';
import { PortalError } from '#platform/http/errors.ts';

interface Parts {
  /** The product's own catalogues: `pl.json`, `en.json`. */
  readonly languagesFolder: URL;
  readonly logo: URL;
  readonly changelog: URL;
  readonly organisationName: string;
  readonly timeZone: string;
}

interface Catalogue {
  readonly sentences: Record<string, string>;
  readonly etag: string;
}

const languages: readonly { code: LanguageCode; name: string; file: string }[] = [
  { code: 'PL', name: 'Polski', file: 'pl.json' },
  { code: 'EN', name: 'English', file: 'en.json' },
];

const readSentences = async (file: URL): Promise<Record<string, string>> => {
  const read: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (read === null || typeof read !== 'object') throw new Error(`${file.pathname} is not a catalogue of sentences`);
  const sentences: Record<string, string> = {};
  for (const [key, sentence] of Object.entries(read)) if (typeof sentence === 'string') sentences[key] = sentence;
  return sentences;
};

export interface Branding {
  readonly routes: readonly Route[];
  /** Sentences of one language for pages that the server writes itself (identity, mail). */
  sentences(language: LanguageCode): Readonly<Record<string, string>>;
}

/** What the portal says and looks like: languages, logo, changelog. Read once at start. */
export const createBranding = async ({ languagesFolder, logo, changelog, organisationName, timeZone }: Parts): Promise<Branding> => {
  const catalogues = new Map<LanguageCode, Catalogue>();
  for (const { code, file } of languages) {
    const ownSentences = { 'brand.organisation': organisationName, 'brand.timeZone': timeZone };
    const sentences = { ...(await readSentences(new URL(file, languagesFolder))), ...ownSentences };
    catalogues.set(code, {
      sentences,
      etag: `"${createHash('sha256').update(JSON.stringify(sentences)).digest('base64url').slice(0, 27)}"`,
    });
  }
  const get = (language: LanguageCode): Catalogue => {
    const catalogue = catalogues.get(language);
    if (catalogue === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
    return catalogue;
  };
  const readFresh = async (file: URL, contentType: string, headers: Record<string, string>): Promise<Bytes> => {
    try {
      return { body: await readFile(file), contentType, headers };
    } catch (error) {
      throw new PortalError('RESOURCE_NOT_FOUND', { cause: error });
    }
  };

  return {
    sentences: (language) => get(language).sentences,
    routes: [
      route(calls.getTranslations, async ({ query, request, reply }) => {
        const { sentences, etag } = get(query.lang);
        void reply.header('etag', etag).header('cache-control', 'no-cache');
        // A 304 must not carry a body, and the answer's schema knows only sentences.
        if (request.headers['if-none-match'] === etag) {
          reply.hijack();
          reply.raw.writeHead(304, { etag, 'cache-control': 'no-cache' }).end();
        }
        return sentences;
      }),
      route(calls.listLanguages, async () => languages.map(({ code, name }) => ({ code, name }))),
      route(calls.getLogo, async () =>
        readFresh(logo, 'image/svg+xml', {
          'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
          'cache-control': 'no-cache',
        }),
      ),
      route(calls.getChangelog, async () => readFresh(changelog, 'text/markdown; charset=utf-8', { 'cache-control': 'no-cache' })),
    ],
  };
};

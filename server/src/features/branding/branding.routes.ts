import { calls } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accepts } from '#platform/http/content-coding.ts';
import { PortalError } from '#platform/http/errors.ts';
import { route, type Bytes, type Route } from '#platform/http/route.ts';
import type { BrandFile } from './folder.ts';
import type { Language } from './languages.ts';
import type { TextName, Texts } from './texts.ts';

interface Parts {
  readonly languages: readonly Language[];
  readonly logo: BrandFile;
  readonly theme: BrandFile | undefined;
  readonly texts: Texts;
}

const askEachTime = 'no-cache';
const forEver = 'public, max-age=31536000, immutable';

/** Answers a matching If-None-Match with 304. A 304 must not carry a body, and the answer's schema knows none without. */
const isKept = (request: FastifyRequest, reply: FastifyReply, { etag, cacheControl }: { etag: string; cacheControl: string }): boolean => {
  const headers = { etag, 'cache-control': cacheControl };
  void reply.headers(headers);
  if (request.headers['if-none-match'] !== etag) return false;
  reply.hijack();
  reply.raw.writeHead(304, headers).end();
  return true;
};

/** Compressed to a quarter, since no page can show a text before it. Plain JSON without a matching Accept-Encoding. */
const sendCompressed = (request: FastifyRequest, reply: FastifyReply, { compressed }: Language): void => {
  if (!accepts(request, 'br')) return;
  const body = compressed();
  void reply.type('application/json; charset=utf-8').header('content-encoding', 'br').header('content-length', body.length);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.end(body);
};

/** An SVG is a document: opened by itself it may do nothing at all. */
const logoHeaders = { 'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'" };

/** The version that an address of the theme names, so that it may be kept for ever. */
export const versionOf = ({ etag }: Pick<BrandFile, 'etag'>): string => etag.replaceAll('"', '');

export const brandingRoutes = ({ languages, logo, theme, texts }: Parts): readonly Route[] => {
  const byCode = new Map(languages.map((language) => [language.code, language]));
  const sendText = async (name: TextName, wanted: string | undefined): Promise<Bytes> => {
    const { body, language } = await texts.read(name, wanted);
    const headers = { 'cache-control': askEachTime, ...(language === undefined ? {} : { 'content-language': language }) };
    return { body, contentType: 'text/markdown; charset=utf-8', headers };
  };
  return [
    route(calls.getTranslations, async ({ query, request, reply }) => {
      const language = byCode.get(query.lang);
      if (language === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      const { sentences, etag } = language;
      void reply.header('vary', 'accept-encoding');
      if (!isKept(request, reply, { etag, cacheControl: askEachTime })) sendCompressed(request, reply, language);
      return sentences;
    }),

    route(calls.listLanguages, async () => languages.map(({ code, name }) => ({ code, name }))),

    route(calls.getLogo, async ({ request, reply }) => {
      isKept(request, reply, { etag: logo.etag, cacheControl: askEachTime });
      return { body: logo.body, contentType: logo.type, headers: logoHeaders };
    }),

    route(calls.getTheme, async ({ query, request, reply }) => {
      if (theme === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      isKept(request, reply, { etag: theme.etag, cacheControl: query.v === versionOf(theme) ? forEver : askEachTime });
      return { body: theme.body, contentType: theme.type };
    }),

    route(calls.getChangelog, async ({ query }) => sendText('CHANGELOG', query.lang)),

    route(calls.getAccessibilityStatement, async ({ query }) => sendText('ACCESSIBILITY', query.lang)),
  ];
};

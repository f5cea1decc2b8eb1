import * as z from 'zod/mini';
import { systemCall } from './call.ts';
import { languageCode, storableText } from './values.ts';

/** U4: the process answers; says nothing of database or stores. */
export const getHealth = systemCall({
  name: 'getHealth',
  method: 'GET',
  path: '/api/health',
  summary: 'Alive',
  // Balancers and monitors add words of their own.
  query: z.looseObject({}),
  answer: z.object({ status: z.literal('ok') }),
});

/** What keeps stored documents from being removed, as the portal found it when it started (docs/storage.md). */
const lockLevel = z.enum(['compliance', 'governance', 'soft', 'none']);

export const getReadiness = systemCall({
  name: 'getReadiness',
  method: 'GET',
  path: '/api/ready',
  query: z.looseObject({}),
  summary:
    'Customers can read (200) or cannot (503): database and objects; also how the store of objects locks, and whether the ledger is halted, while nothing new is delivered',
  answer: z.object({
    status: z.enum(['ok', 'unavailable']),
    lock: z.optional(lockLevel),
    ledger: z.optional(z.enum(['open', 'halted'])),
  }),
  also: { 503: z.object({ status: z.literal('unavailable') }) },
});

/** Flat map key → sentence in i18next syntax (`{{name}}`, suffixes `_one _few _many _other`). */
export const getTranslations = systemCall({
  name: 'getTranslations',
  method: 'GET',
  path: '/resources/r/lang',
  summary: 'All sentences of one language, with ETag; RESOURCE_NOT_FOUND for one that is not spoken',
  query: z.object({ lang: z._default(languageCode, 'PL') }),
  answer: z.record(z.string(), z.string()),
  also: { 304: 'nothing' },
});

export const listLanguages = systemCall({
  name: 'listLanguages',
  method: 'GET',
  path: '/resources/r/lang/list',
  summary: 'Languages that the portal speaks',
  answer: z.array(z.object({ code: languageCode, name: z.string() })),
});

/** `v`: the version that an address names, so that it may be kept for ever. */
export const getTheme = systemCall({
  name: 'getTheme',
  method: 'GET',
  path: '/resources/r/theme.css',
  summary: 'The organisation’s colours as a style sheet; RESOURCE_NOT_FOUND when they are the product’s',
  query: z.object({ v: z.optional(storableText(64)) }),
  answer: 'bytes',
  also: { 304: 'nothing' },
});

/** L3. The product’s own when the installation brings none. An SVG is sandboxed by its Content-Security-Policy. */
export const getLogo = systemCall({
  name: 'getLogo',
  method: 'GET',
  path: '/resources/r/logo_small',
  summary: 'The organisation’s logo',
  answer: 'bytes',
  also: { 304: 'nothing' },
});

export const getChangelog = systemCall({
  name: 'getChangelog',
  method: 'GET',
  path: '/static/CHANGELOG.md',
  summary: 'What is new, in plain words (Markdown), in this language when there is one; content-language says which',
  query: z.object({ lang: z.optional(languageCode) }),
  answer: 'bytes',
});

export const getAccessibilityStatement = systemCall({
  name: 'getAccessibilityStatement',
  method: 'GET',
  path: '/static/ACCESSIBILITY.md',
  summary: 'How everybody can use the portal, and whom to tell when they cannot (Markdown), as what is new',
  query: z.object({ lang: z.optional(languageCode) }),
  answer: 'bytes',
});

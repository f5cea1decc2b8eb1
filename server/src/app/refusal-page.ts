import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { RefusalPages } from '#platform/http/refusal-pages.ts';
import { escapeHtml } from '#platform/mail/compose.ts';
import { product } from './product.ts';

type Sentences = Readonly<Record<string, string>>;

interface Parts {
  readonly publicUrl: URL;
  /** In the order in which they are offered, by the names that they call themselves. */
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  readonly sentences: (language: string) => Sentences;
  /** The installation's own colours. */
  readonly theme?: { readonly css: string } | undefined;
}

interface Kind {
  readonly title: string;
  readonly lead?: string;
  /** `again`: asked for once more, `byItself`: also without being told to, `start`: the way to the start page. */
  readonly way: 'again' | 'byItself' | 'start';
}

const unavailable: Kind = { title: 'refusal.unavailable', lead: 'refusal.unavailableLead', way: 'byItself' };
const denied: Kind = { title: 'refusal.denied', lead: 'refusal.deniedLead', way: 'start' };
const tooLong: Kind = { title: 'refusal.tooLong', lead: 'refusal.tooLongLead', way: 'start' };
const failed: Kind = { title: 'error.default', way: 'again' };
const unanswerable: Kind = { title: 'refusal.unanswerable', lead: 'refusal.unanswerableLead', way: 'start' };

const kinds: Readonly<Record<number, Kind>> = {
  401: denied,
  403: denied,
  404: { title: 'page.notFound', lead: 'page.notFoundLead', way: 'start' },
  414: tooLong,
  421: { title: 'refusal.misdirected', lead: 'refusal.misdirectedLead', way: 'start' },
  429: { title: 'refusal.tooMany', lead: 'refusal.tooManyLead', way: 'again' },
  431: tooLong,
  502: unavailable,
  503: unavailable,
  504: unavailable,
};

const kindOf = (status: number): Kind => kinds[status] ?? (status >= 500 ? failed : unanswerable);

const retryAfterSeconds = 10;

const readStyles = (): string =>
  [new URL('tokens.css', product.design), new URL('base.css', product.design), new URL('refusal-page.css', import.meta.url)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[^*]*\*\//g, '')
    .replaceAll(/\s+/g, ' ');

const cookieLanguage = /(?:^|;\s*)lang=([A-Za-z]{2,3})(?:;|$)/;

/** As chosen on this device, else as the browser prefers, else the first. */
const languageOf = ({ cookie = '', 'accept-language': accepted = '' }: IncomingHttpHeaders, codes: readonly string[]): string => {
  const wanted = [cookieLanguage.exec(cookie)?.[1], ...accepted.split(',').map((part) => part.trim().split(/[-;]/)[0])];
  const found = wanted.map((code) => code?.toUpperCase()).find((code) => code !== undefined && codes.includes(code));
  return found ?? codes[0] ?? 'PL';
};

/**
 * Whole pages for what cannot be answered: without scripts and without a further request, as those might fail too. The languages are in the page, and a
 * choice of them needs no request either; a browser that does not know `:has` shows all of them.
 */
export const createRefusalPages = ({ publicUrl, languages, sentences, theme }: Parts): RefusalPages => {
  const codes = languages.map(({ code }) => code);
  const start = escapeHtml(`${publicUrl.origin}/`);
  const choices = codes.map((code) => `body:has(#${code}:checked) section:not([lang=${code.toLowerCase()}])`).join(', ');
  const styles = `${readStyles()} ${theme?.css ?? ''} @supports selector(:has(*)) { ${choices} { display: none; } }`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');

  const section = (code: string, { title, lead, way }: Kind): string => {
    const words = sentences(code);
    const say = (key: string): string => escapeHtml(words[key] ?? key);
    const link = way === 'start' ? `<a href="${start}">${say('refusal.start')}</a>` : `<a href="">${say('error.tryAgain')}</a>`;
    return `<section lang="${code.toLowerCase()}">
<p class="organisation">${say('brand.organisation')}</p>
<h1>${say(title)}</h1>
${lead === undefined ? '' : `<p>${say(lead)}</p>\n`}<p>${link}</p>
</section>`;
  };

  const page = (kind: Kind, first: string): string => {
    const words = sentences(first);
    const say = (key: string): string => escapeHtml(words[key] ?? key);
    const switches = languages.map(
      ({ code, name }) =>
        `<label lang="${code.toLowerCase()}"><input type="radio" name="language" id="${code}"${code === first ? ' checked' : ''}>${escapeHtml(name)}</label>`,
    );
    return `<!doctype html>
<html lang="${first.toLowerCase()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${kind.way === 'byItself' ? `<meta http-equiv="refresh" content="${retryAfterSeconds}">\n` : ''}<title>${say(kind.title)} · ${say('brand.organisation')}</title>
<style>${styles}</style>
</head>
<body>
<fieldset><legend class="visually-hidden">${say('language.title')}</legend>
${switches.join('\n')}
</fieldset>
<main>
${codes.map((code) => section(code, kind)).join('\n')}
</main>
</body>
</html>
`;
  };

  return { draw: (status, headers) => ({ html: page(kindOf(status), languageOf(headers, codes)), policy }) };
};

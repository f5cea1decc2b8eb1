import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import type { LanguageCode } from '@pergamin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PortalError } from '#platform/http/errors.ts';
import { escapeHtml, paragraphsOf } from '#platform/mail/compose.ts';
import type { MailService } from '#platform/mail/create-mail.ts';
import { product } from './product.ts';

interface Parts {
  readonly listKept: MailService['listKept'];
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly timeZone: string;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const isLoopbackAddress = (address: string): boolean => loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

/** A proxy on this machine comes from loopback too, but names its client in a header. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const isFromThisMachine = (request: FastifyRequest): boolean =>
  isLoopbackAddress(request.socket.remoteAddress ?? '') && forwardingHeaders.every((name) => request.headers[name] === undefined);

const contentSecurityPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const languages: readonly (readonly [LanguageCode, string])[] = [
  ['PL', 'Polski'],
  ['EN', 'English'],
];

const readStyles = (): string =>
  [new URL('tokens.css', product.design), new URL('base.css', product.design), new URL('local-outbox.css', import.meta.url)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/**
 * Mail that had no server to go to, for an operator who runs the portal on their own machine and has to follow mailed links.
 * There is no such page when PUBLIC_URL is not loopback or SMTP_URL is set, and only connections from this machine are answered.
 */
export const serveLocalOutbox = (server: FastifyInstance, { listKept, sentences, timeZone }: Parts): void => {
  if (listKept === undefined) return;
  const styles = readStyles();

  const render = async (language: LanguageCode): Promise<string> => {
    const words = sentences(language);
    const say = (key: string): string => escapeHtml(words[key] ?? key);
    const moment = new Intl.DateTimeFormat(language.toLowerCase(), { dateStyle: 'medium', timeStyle: 'medium', timeZone });
    const letters = (await listKept()).map(
      ({ recipient, language: written, subject, content, createdAt }) => `<article lang="${written.toLowerCase()}">
<h2>${escapeHtml(subject)}</h2>
<p class="about" lang="${language.toLowerCase()}"><time datetime="${createdAt.toISOString()}">${moment.format(createdAt)}</time> · ${say('mail.to')}: ${escapeHtml(recipient)}</p>
<div class="words">${paragraphsOf(content ?? '')}</div>
</article>`,
    );
    const switches = languages.map(
      ([code, name]) =>
        `<a href="?lang=${code}" lang="${code.toLowerCase()}" hreflang="${code.toLowerCase()}"${code === language ? ' aria-current="true"' : ''}>${name}</a>`,
    );
    return `<!doctype html>
<html lang="${language.toLowerCase()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${say('mail.outbox')} · ${say('brand.product')}</title>
<link rel="stylesheet" href="/local-outbox.css">
</head>
<body>
<header><h1>${say('mail.outbox')}</h1><nav aria-label="${say('language.title')}">${switches.join(' ')}</nav></header>
<main>
<p>${say('mail.outboxLead')}</p>
${letters.length === 0 ? `<p>${say('mail.outboxEmpty')}</p>` : letters.join('\n')}
</main>
</body>
</html>
`;
  };

  server.get<{ Querystring: { lang?: unknown } }>('/local-outbox', async (request, reply) => {
    if (!isFromThisMachine(request)) throw new PortalError('RESOURCE_NOT_FOUND');
    void reply.header('content-security-policy', contentSecurityPolicy).header('cache-control', 'no-store');
    return reply.type('text/html; charset=utf-8').send(await render(request.query.lang === 'EN' ? 'EN' : 'PL'));
  });
  server.get('/local-outbox.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(styles),
  );
};

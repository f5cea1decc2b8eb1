import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '#platform/clock/clock.ts';
import type { CallLimits } from '#platform/http/call-limit.ts';

const maxBytes = 16 * 1024;
/** The call is open to everyone: a few reports show what is wrong with a page, and more must not fill the log. */
const loggedPerMinute = 20;
const reportsPerRequest = 5;

// What is of another type is as good as not said.
// oxlint-disable-next-line promise/valid-params -- zod's, not a promise's
const orNotSaid = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.catch(z.optional(schema), undefined));
const text = orNotSaid(z.string());
const line = orNotSaid(z.int());

/** Of the Reporting API, and of its predecessor. */
const reports = z.array(
  z.object({ body: z.object({ effectiveDirective: text, blockedURL: text, sourceFile: text, lineNumber: line, documentURL: text }) }),
);
const formerReport = z.object({
  'csp-report': z.object({
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'source-file': text,
    'line-number': line,
    'document-uri': text,
  }),
});

const readJson = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/**
 * The address in a report without personal data: a sign-in code is a part of a path, and so is anything that a
 * visitor types. The product's files keep their names, pages their first part, other sites only their host.
 */
const shorten = (address: string | undefined, ownOrigin: string): string | undefined => {
  if (address === undefined || /^[a-z-]{1,20}$/.test(address)) return address;
  if (!URL.canParse(address)) return 'malformed';
  const { origin, pathname, protocol } = new URL(address);
  if (origin === 'null') return protocol;
  if (origin !== ownOrigin) return origin;
  return /^\/assets\/[\w.-]{1,100}$/.test(pathname) ? pathname : (/^\/[a-z-]{0,20}(?=\/|$)/.exec(pathname)?.[0] ?? '/…');
};

/** Empty for what is no report. */
export const readPolicyReports = (json: string, ownOrigin: string) => {
  const read = readJson(json);
  const latest = z.safeParse(reports, read);
  const former = z.safeParse(formerReport, read);
  const given = latest.success ? latest.data.slice(0, reportsPerRequest).map(({ body }) => body) : [];
  if (former.success) {
    const { 'csp-report': report } = former.data;
    given.push({
      effectiveDirective: report['effective-directive'] ?? report['violated-directive'],
      blockedURL: report['blocked-uri'],
      sourceFile: report['source-file'],
      lineNumber: report['line-number'],
      documentURL: report['document-uri'],
    });
  }
  return given.map(({ effectiveDirective, blockedURL, sourceFile, lineNumber, documentURL }) => ({
    directive: effectiveDirective?.slice(0, 40),
    blocked: shorten(blockedURL, ownOrigin),
    source: shorten(sourceFile, ownOrigin),
    line: lineNumber,
    page: shorten(documentURL, ownOrigin),
  }));
};

/** Browsers report here what the content security policy stopped. Bounded in size and in what is logged. */
export const acceptPolicyReports = async (
  server: FastifyInstance,
  { publicUrl, limits, clock }: { publicUrl: URL; limits: CallLimits; clock: Clock },
): Promise<void> => {
  let minute = 0;
  let logged = 0;
  const mayLog = (): boolean => {
    const now = Math.floor(clock.now().getTime() / 60_000);
    if (now !== minute) [minute, logged] = [now, 0];
    logged += 1;
    return logged <= loggedPerMinute;
  };
  await server.register(async (scope) => {
    scope.addHook('onRequest', async ({ ip }) => limits.takeFrom({ name: 'policyReport', area: 'open' }, ip));
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: maxBytes },
      (_request, body, done) => done(null, body),
    );
    scope.post('/api/open/csp-report', async (request, reply) => {
      const found = typeof request.body === 'string' ? readPolicyReports(request.body, publicUrl.origin) : [];
      for (const report of found) if (mayLog()) request.log.warn({ report }, 'content security policy report');
      return reply.code(204).send();
    });
  });
};

import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { type Clock, systemClock } from '#platform/clock/clock.ts';
import type { Log } from '#platform/log/log.ts';
import { markLines } from '#platform/log/request-lines.ts';
import { compileAnswerSerializer } from './answer-serializer.ts';
import { setClientAddress } from './client-address.ts';
import { answerErrors, createConnectionRefusal, createUnreadableAnswer } from './error-answer.ts';
import { invalidField } from './errors.ts';
import { guardHost } from './host-guard.ts';
import { EarlyAnswer, hasBody } from './lingering-close.ts';
import { refuseOtherEncodings } from './body-encoding.ts';
import { answerPeopleWithPages, type RefusalPages } from './refusal-pages.ts';

interface Options {
  readonly publicUrl: URL;
  readonly log: Log;
  /** Addresses or networks of reverse proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies: readonly string[];
  readonly clock?: Clock;
  /** What people read in place of an error. Left out: everybody gets what programs get. */
  readonly refusalPages?: RefusalPages;
  /** How long a client may take to say what it wants: its headers, and all of it. */
  readonly patience?: { readonly headersMs: number; readonly requestMs: number; readonly checkEveryMs: number };
}

/** A publisher's 50 MB on a slow line take a while; headers do not. */
const standardPatience = { headersMs: 20_000, requestMs: 300_000, checkEveryMs: 5_000 };

/** The policy of ui.md section 5: no inline script or style, no nonce, so that index.html stays static. Reports go to our own end point. */
const contentSecurityPolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'blob:', 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'manifest-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['pdf-worker', 'hash-worker'],
  'report-to': ['csp'],
};

/** Those that helmet recommends and our own, the same for every answer. */
const securityHeadersOf = (publicUrl: URL): Record<string, string> => {
  const https = publicUrl.protocol === 'https:';
  const directives = { ...contentSecurityPolicy, ...(https ? { 'upgrade-insecure-requests': [] } : {}) };
  return {
    'content-security-policy': Object.entries(directives)
      .map(([name, sources]) => [name, ...sources].join(' '))
      .join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    'reporting-endpoints': 'csp="/api/open/csp-report"',
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
};

/** Instead of Fastify's own compilers, which take a fifth of a second to load. */
const noCompiler = (): never => {
  throw new Error('every schema is one of zod');
};

/** Node would read a body that no handler wants to its end, to find the next request behind it. */
const refuseNeedlessBodies = (server: FastifyInstance): void => {
  // preParsing runs after the hooks that refuse by caller or address.
  server.addHook('preParsing', async ({ method, raw }) => {
    if ((method === 'GET' || method === 'HEAD') && hasBody(raw)) throw invalidField('body', 'this call takes none');
  });
};

/** One line for each call; what else is logged on its behalf names it. */
const logAnswers = (server: FastifyInstance): void => {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
    done();
  });
  server.addHook('onRequest', (request, reply, done) => {
    // Connections and timers that a request began outlive it, and are not about it.
    markLines(() => (reply.raw.writableEnded ? undefined : { requestId: request.id, address: request.ip }), done);
  });
};

/**
 * A Fastify server with the product's rules of transport: host check, headers, body limits, only JSON and multipart bodies, one error answer,
 * request logs without addresses (a path or query may hold a code). Routes are mounted by the caller.
 */
export const createHttpServer = async ({
  publicUrl,
  log,
  trustedProxies,
  clock = systemClock,
  refusalPages,
  patience = standardPatience,
}: Options): Promise<FastifyInstance> => {
  // Typed as Fastify's own logger, so that the server keeps Fastify's default types everywhere.
  const loggerInstance: FastifyBaseLogger = log;
  const server: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: 256 * 1024,
    connectionTimeout: 60_000,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // What was accepted is answered, also by a server that accepts nothing more.
    return503OnClosing: false,
    frameworkErrors: createUnreadableAnswer(refusalPages),
    clientErrorHandler: createConnectionRefusal(refusalPages),
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: 4_096, caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false },
    http: {
      ServerResponse: EarlyAnswer,
      maxHeaderSize: 16 * 1024,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkEveryMs,
      // Of a body that has to wait for its reader: hundreds may wait at once, and the rest of theirs stays with the sender.
      highWaterMark: 16 * 1024,
    },
  });
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(compileAnswerSerializer);
  // Fastify reads text/plain bodies by default, which a foreign form can post without asking (security.md section 3).
  server.removeContentTypeParser('text/plain');
  answerErrors(server);
  setClientAddress(server, { trustedProxies, clock, log });
  logAnswers(server);
  const headers = securityHeadersOf(publicUrl);
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  if (refusalPages !== undefined) answerPeopleWithPages(server, refusalPages);
  // After the headers, so that refusals carry them too.
  guardHost(server, publicUrl);
  refuseNeedlessBodies(server);
  refuseOtherEncodings(server);
  await server.register(cookie);
  return server;
};

import { context, type Context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';

export type Tracing = ReturnType<typeof createTracing>;

/** Of a statement; its values are never part of it. */
const longestStatement = 1_000;

/**
 * Spans of calls, jobs and statements, by the API of OpenTelemetry: without a provider (see exporting.ts) they cost next to nothing. Spans name routes,
 * jobs and statements, and carry no ids of documents or persons; `pergamin.request_id` joins them with the log. A caller's own trace is not continued:
 * most callers are browsers of strangers.
 */
export const createTracing = () => {
  const tracer = trace.getTracer('pergamin');
  return {
    observe(server: FastifyInstance): void {
      const contexts = new WeakMap<object, Context>();
      server.addHook('onRequest', (request, _reply, done) => {
        const { method, id } = request;
        const route = request.routeOptions.url ?? 'none';
        const attributes = { 'http.request.method': method, 'http.route': route, 'pergamin.request_id': id };
        const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes });
        const active = trace.setSpan(context.active(), span);
        contexts.set(request, active);
        context.with(active, done);
      });
      server.addHook('onResponse', (request, reply, done) => {
        const span = trace.getSpan(contexts.get(request) ?? context.active());
        span?.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
        done();
      });
    },
    /** Each run of a job becomes a span. */
    ofJobs: (handlers: JobHandlers): JobHandlers =>
      Object.fromEntries(
        Object.entries(handlers).map(([name, handle]) => [
          name,
          (payload, signal) =>
            tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER }, async (span) => {
              try {
                await handle(payload, signal);
              } catch (error) {
                span.setStatus({ code: SpanStatusCode.ERROR });
                throw error;
              } finally {
                span.end();
              }
            }),
        ]),
      ),
    /** One that has just ended, of the call or job that is active. */
    statement: ({ text, ms, isFailed }: { readonly text: string; readonly ms: number; readonly isFailed: boolean }): void => {
      if (trace.getActiveSpan() === undefined) return;
      const span = tracer.startSpan(text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? 'STATEMENT', {
        kind: SpanKind.CLIENT,
        startTime: Date.now() - ms,
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, longestStatement) },
      });
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
};

/** Sends spans to a collector by OTLP/HTTP. Resolves to the function that sends the last ones. A collector that is away costs spans, not calls. */
export const exportSpans = async (
  endpoint: URL,
  { role, version, log }: { role: string; version: string; log: Log },
): Promise<() => Promise<void>> => {
  const { startExporting } = await import('./exporting.ts');
  log.info({ collector: endpoint.host }, 'traces are sent');
  return startExporting(new URL('/v1/traces', endpoint).href, {
    'service.name': 'pergamin',
    'service.version': version,
    'pergamin.role': role,
  });
};

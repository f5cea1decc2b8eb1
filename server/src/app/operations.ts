import { calls } from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Objects;
  readonly log: Log;
}

/** Whoever asks within this time is told what was found for the one before: a look writes to the disk. */
const lookEveryMs = 2_000;

const createLook = ({ db, objects, log }: Parts): (() => Promise<boolean>) => {
  let last: { readonly atMs: number; readonly isReady: Promise<boolean> } | undefined;
  const look = async (): Promise<boolean> => {
    try {
      await Promise.all([sql`select 1 from graphile_worker.jobs limit 1`.execute(db), objects.probe()]);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return false;
    }
  };
  return () => {
    const atMs = performance.now();
    if (last === undefined || atMs - last.atMs >= lookEveryMs) last = { atMs, isReady: look() };
    return last.isReady;
  };
};

/** What an operator's probes ask. Outsiders are told ok or not, the reason is in the log. */
export const operationRoutes = (parts: Parts): readonly Route[] => {
  const isReady = createLook(parts);
  return [
    route(calls.getHealth, async ({ reply }) => {
      void reply.header('cache-control', 'no-store');
      return { status: 'ok' as const };
    }),
    route(calls.getReadiness, async ({ reply }) => {
      void reply.header('cache-control', 'no-store');
      if (await isReady()) return { status: 'ok' as const };
      void reply.code(503);
      return { status: 'unavailable' as const };
    }),
  ];
};

/** The contract as OpenAPI 3.1, generated from the very schemas that validate. */
export const serveOpenApi = (server: FastifyInstance): void => {
  let text: string | undefined;
  server.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    text ??= JSON.stringify(server.swagger());
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .serializer((payload) => String(payload))
      .send(text);
  });
};

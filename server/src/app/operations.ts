import { type AnswerOf, calls } from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import type { Ledger } from '#features/ledger/ledger.door.ts';
import type { OpenDatabase } from '#platform/database/database.ts';
import type { CallLimits } from '#platform/http/call-limit.ts';
import type { Draining } from '#platform/http/draining.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import type { LockLevel } from '#platform/objects/lock-level.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { product } from './product.ts';

interface Parts {
  readonly database: Pick<OpenDatabase, 'look'>;
  readonly objects: Objects;
  readonly lock: LockLevel;
  readonly log: Log;
  readonly draining: Pick<Draining, 'hasBegun'>;
  readonly ledger: Pick<Ledger, 'halted'>;
}

/** The result of a check is reused for this long. */
const checkEveryMs = 2_000;

/** A network disk may hang for minutes; a probe needs its answer now. */
const checkWithinMs = 2_000;

const inTime = async (look: Promise<unknown>): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${checkWithinMs} ms`)), checkWithinMs);
  try {
    await Promise.race([look, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Whether customers can read: the database and the store of objects answer. What stops only new documents (a halted ledger, a disk without room)
 * takes no machine out, as customers would then lose what works; alerts report it.
 */
const createReadCheck = ({ database, objects, log }: Pick<Parts, 'database' | 'objects' | 'log'>): (() => Promise<boolean>) => {
  let last: { readonly atMs: number; readonly canRead: Promise<boolean> } | undefined;
  let isOutageTold = false;
  const check = async (): Promise<boolean> => {
    try {
      await inTime(Promise.all([database.look('select 1 from graphile_worker.jobs limit 1'), objects.probe()]));
      if (isOutageTold) log.info('ready again');
      isOutageTold = false;
      return true;
    } catch (error) {
      if (!isOutageTold) log.warn({ err: error }, 'not ready');
      isOutageTold = true;
      return false;
    }
  };
  return () => {
    const atMs = performance.now();
    if (last === undefined || atMs - last.atMs >= checkEveryMs) last = { atMs, canRead: check() };
    return last.canRead;
  };
};

export type Readiness = () => Promise<AnswerOf<typeof calls.getReadiness>>;

/** The reason is in the log, never in the answer. */
export const createReadiness = ({ draining, ledger, lock, ...parts }: Parts): Readiness => {
  const canRead = createReadCheck(parts);
  return async () =>
    !draining.hasBegun() && (await canRead())
      ? { status: 'ok', lock, ledger: ledger.halted() === undefined ? 'open' : 'halted' }
      : { status: 'unavailable' };
};

/** The operator's probes, as METRICS_PORT answers them too. */
export const operationRoutes = (readiness: Readiness): readonly Route[] => [
  route(calls.getHealth, async ({ reply }) => {
    void reply.header('cache-control', 'no-store');
    return { status: 'ok' as const };
  }),
  route(calls.getReadiness, async ({ reply }) => {
    void reply.header('cache-control', 'no-store');
    const answer = await readiness();
    if (answer.status !== 'ok') void reply.code(503);
    return answer;
  }),
];

/** The contract as OpenAPI, written at the first request. */
export const serveOpenApi = (server: FastifyInstance, { publicUrl, limits }: { publicUrl: URL; limits: CallLimits }): void => {
  let text: string | undefined;
  server.get('/api/openapi.json', async ({ ip }, reply) => {
    limits.takeFrom({ name: 'openApi', area: 'system' }, ip);
    const { openApi } = await import('#platform/http/open-api.ts');
    text ??= JSON.stringify(openApi({ publicUrl, version: product.version }));
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .serializer((payload) => String(payload))
      .send(text);
  });
};

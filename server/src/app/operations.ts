import { calls } from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import type { Ledger } from '#features/ledger/ledger.door.ts';
import type { OpenDatabase } from '#platform/database/database.ts';
import { missingBytes, type ReadSpace } from '#platform/disk/free-space.ts';
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
  readonly disk: { readonly percent: number; readonly readSpace: ReadSpace };
  readonly log: Log;
  readonly draining: Pick<Draining, 'hasBegun'>;
  readonly ledger: Pick<Ledger, 'assertOpen'>;
}

/** The share of the disk's reserve, which renditions never use, below which the portal is not ready: the rest is for the operator's repairs. */
const minShareOfReserve = 0.5;

const assertSpace = async ({ percent, readSpace }: Parts['disk']): Promise<void> => {
  const space = await readSpace();
  const minPercent = percent * minShareOfReserve;
  if (missingBytes(space, minPercent) > 0)
    throw new Error(`the disk of DATA_DIR has ${space.freeBytes} of ${space.totalBytes} bytes left, less than ${minPercent} %`);
};

/** The result of a check is reused for this long: each check writes to the disk. */
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

const createReadinessCheck = ({ database, objects, disk, ledger, log }: Omit<Parts, 'draining' | 'lock'>): (() => Promise<boolean>) => {
  let last: { readonly atMs: number; readonly isReady: Promise<boolean> } | undefined;
  const check = async (): Promise<boolean> => {
    try {
      ledger.assertOpen();
      await inTime(Promise.all([database.look('select 1 from graphile_worker.jobs limit 1'), objects.probe(), assertSpace(disk)]));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return false;
    }
  };
  return () => {
    const atMs = performance.now();
    if (last === undefined || atMs - last.atMs >= checkEveryMs) last = { atMs, isReady: check() };
    return last.isReady;
  };
};

/** The operator's probes. Callers learn ok or not, the reason is in the log. */
export const operationRoutes = (parts: Parts): readonly Route[] => {
  const isReady = createReadinessCheck(parts);
  return [
    route(calls.getHealth, async ({ reply }) => {
      void reply.header('cache-control', 'no-store');
      return { status: 'ok' as const };
    }),
    route(calls.getReadiness, async ({ reply }) => {
      void reply.header('cache-control', 'no-store');
      if (!parts.draining.hasBegun() && (await isReady())) return { status: 'ok' as const, lock: parts.lock };
      void reply.code(503);
      return { status: 'unavailable' as const };
    }),
  ];
};

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

import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import { blockSize } from './blocks.rules.ts';
import { hasPassed, makeBlocks, readHorizon } from './blocks.store.ts';

/** A job that waits longer gives up; the next search asks again. */
const longestWaitMs = 30_000;
const waitMs = 100;

const payloadSchema = z.object({ principal: z.string() });

/**
 * Makes blocks of all deliveries of a principal. A delivery that is being written may have a place among those that are there; whoever was
 * writing when it began has ended before it looks.
 */
export const createMakeBlocks =
  (pool: Pool, size = blockSize): JobHandler =>
  async (payload, signal) => {
    const { principal } = payloadSchema.parse(payload);
    const { place, transaction } = await readHorizon(pool);
    const deadlineMs = performance.now() + longestWaitMs;
    while (!(await hasPassed(pool, transaction))) {
      if (performance.now() > deadlineMs) return;
      await pause(waitMs, undefined, { signal });
    }
    while (!signal.aborted && (await makeBlocks(pool, { principal, size, lastKnown: place })));
  };

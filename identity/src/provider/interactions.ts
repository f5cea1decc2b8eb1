import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload, InteractionResults } from 'oidc-provider';
import type { Clock } from '../parts.ts';

/** Sign-ins that wait for a password. */
export interface Interactions {
  readonly adapter: Adapter;
  /**
   * Runs the next step while the provider finds this result. `payload`: what `takeInteraction` gave, whose row is gone. False, without
   * any effect, when it gave nothing.
   */
  finish(
    ended: { uid: string; payload: AdapterPayload | undefined; result: InteractionResults },
    next: () => Promise<void>,
  ): Promise<boolean>;
}

interface Remembered {
  readonly payload: string;
  readonly untilMs: number;
}

const kind = 'Interaction';

/** Consumes an interaction once, as a part of a statement; gives its payload, or nothing when a concurrent request consumed it. */
export const takeInteraction = (uid: string): string =>
  `delete from identity.oidc_payload where kind = '${kind}' and id = ${uid} returning payload`;

/** A kilobyte each. */
const maxRemembered = 5_000;

/**
 * The row decides whether a sign-in still waits, and is taken when it ends. Until then the pages need only what it said when it was made, and
 * the process that made it remembers that; another one reads the row.
 */
export const createInteractions = ({ rows, clock }: { rows: Adapter; clock: Clock }): Interactions => {
  const remembered = new LRUCache<string, Remembered>({ max: maxRemembered });
  const finished = new Map<string, AdapterPayload>();

  const recall = (uid: string): AdapterPayload | undefined => {
    const entry = remembered.get(uid);
    if (entry === undefined) return undefined;
    if (entry.untilMs > clock.now().getTime()) return JSON.parse(entry.payload);
    remembered.delete(uid);
    return undefined;
  };

  return {
    adapter: {
      ...rows,
      async upsert(uid, payload, expiresInSeconds) {
        await rows.upsert(uid, payload, expiresInSeconds);
        remembered.set(uid, { payload: JSON.stringify(payload), untilMs: clock.now().getTime() + (expiresInSeconds ?? 0) * 1_000 });
      },

      find: async (uid) => finished.get(uid) ?? recall(uid) ?? rows.find(uid),

      async destroy(uid) {
        remembered.delete(uid);
        // Its row has gone already.
        if (!finished.has(uid)) await rows.destroy(uid);
      },
    },

    async finish({ uid, payload, result }, next) {
      remembered.delete(uid);
      if (payload === undefined) return false;
      finished.set(uid, { ...payload, result });
      try {
        await next();
      } finally {
        finished.delete(uid);
      }
      return true;
    },
  };
};

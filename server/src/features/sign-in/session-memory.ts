import { createBoundedCache } from '#platform/cache/bounded-cache.ts';
import type { SignInParts } from './parts.ts';
import { findSession, type SessionRow } from './session.store.ts';

/** A cache of live sessions, each valid until a notification says that its row changed. */
export type SessionMemory = ReturnType<typeof createSessionMemory>;

/** Named by the triggers of migration 0010, which tell the id of a session that ended, was refreshed, or whose person's record changed. */
const channel = 'session_changed';

/** Some 500 bytes each. */
const maxRemembered = 10_000;
/** How long a dead connection that looks alive may hide that a session has ended. */
const longestMs = 10_000;

/**
 * Changes by other processes arrive as notifications of the database, with their commit. While the subscription is down nothing is cached: every
 * call then reads its row.
 */
export const createSessionMemory = ({ pool, listen, clock }: Pick<SignInParts, 'pool' | 'listen' | 'clock'>) => {
  const remembered = createBoundedCache<{ readonly row: SessionRow; readonly readAtMs: number }>(maxRemembered);
  let isHearing = false;
  let isStarted = false;
  /** Counts notifications: a row read across one may be stale. */
  let heard = 0;

  const forget = (id: string): void => {
    heard += 1;
    remembered.delete(id);
  };

  const start = (): void => {
    isStarted = true;
    listen(channel, {
      onMessage: forget,
      onLive(isLive) {
        isHearing = isLive;
        heard += 1;
        remembered.clear();
      },
    });
  };

  return {
    /** What is known without a query. Enough to let a caller in, never to refuse one: a refusal reads the row. */
    recall(id: string): SessionRow | undefined {
      const known = remembered.get(id);
      if (known === undefined) return undefined;
      const ageMs = clock.now().getTime() - known.readAtMs;
      return ageMs >= 0 && ageMs < longestMs ? known.row : undefined;
    },

    /** Reads the row. */
    async read(id: string): Promise<SessionRow | undefined> {
      if (!isStarted) start();
      const before = heard;
      const wasHearing = isHearing;
      const readAtMs = clock.now().getTime();
      const row = await findSession(pool, id);
      remembered.delete(id);
      if (row === undefined || row.is_ended || !wasHearing || before !== heard) return row;
      remembered.set(id, { row, readAtMs });
      return row;
    },

    /** The idle end was moved. */
    slide(id: string, idleExpiresAtMs: number): void {
      const known = remembered.get(id);
      if (known !== undefined) remembered.set(id, { ...known, row: { ...known.row, idle_expires_at_ms: idleExpiresAtMs } });
    },

    forget,
  };
};

import type { Clock } from '#platform/clock/clock.ts';
import type { StatuteVersion } from './statute.store.ts';

/** How long after its publication by another process a version may still be unknown here. Its coming into force is seen at once. */
const maxAgeMs = 5_000;

/** Newest first, as listVersions gives them. */
export const versionInForce = (versions: readonly StatuteVersion[], now: Date): StatuteVersion | undefined =>
  versions.find(({ effectiveFrom }) => effectiveFrom.getTime() <= now.getTime());

export interface VersionsInForce {
  /** At most five seconds old, as every protected call asks. */
  find(): Promise<StatuteVersion | undefined>;
  /** Asks the database. */
  findNow(): Promise<StatuteVersion | undefined>;
  /** The next question goes to the database. */
  forget(): void;
}

export const createVersionsInForce = (list: () => Promise<StatuteVersion[]>, clock: Clock): VersionsInForce => {
  let kept: { versions: readonly StatuteVersion[]; readAtMs: number } | undefined;

  const read = async (): Promise<readonly StatuteVersion[]> => {
    const readAtMs = clock.now().getTime();
    const versions = await list();
    kept = { versions, readAtMs };
    return versions;
  };

  /** Whatever was read in what is now the future was read before the clock was set back. */
  const isFresh = (readAtMs: number, now: Date): boolean => now.getTime() >= readAtMs && now.getTime() < readAtMs + maxAgeMs;

  return {
    async find() {
      const now = clock.now();
      const versions = kept !== undefined && isFresh(kept.readAtMs, now) ? kept.versions : await read();
      return versionInForce(versions, now);
    },
    findNow: async () => versionInForce(await read(), clock.now()),
    forget() {
      kept = undefined;
    },
  };
};

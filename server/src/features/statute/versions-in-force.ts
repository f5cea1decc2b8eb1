import type { Clock } from '#platform/clock/clock.ts';
import type { StatuteVersion } from './statute.store.ts';

/** How long a version published by another process may be unknown here. Its coming into force is seen at once. */
const maxAgeMs = 5_000;

/** What applies at a moment, and what is the next to apply. */
export interface Standing<Version = StatuteVersion> {
  readonly inForce: Version | undefined;
  /** The nearest that was published ahead; later ones are not announced yet. */
  readonly upcoming: Version | undefined;
}

/** Newest first, as listVersions gives them: of several that take effect at one moment, the first is the one that will be in force. */
export const standingAt = <Version extends Pick<StatuteVersion, 'effectiveFrom'>>(
  versions: readonly Version[],
  now: Date,
): Standing<Version> => {
  const isInForce = ({ effectiveFrom }: Version): boolean => effectiveFrom.getTime() <= now.getTime();
  const ahead = versions.filter((version) => !isInForce(version));
  const nearestMs = ahead.at(-1)?.effectiveFrom.getTime();
  return {
    inForce: versions.find(isInForce),
    upcoming: ahead.find(({ effectiveFrom }) => effectiveFrom.getTime() === nearestMs),
  };
};

export type VersionsInForce = ReturnType<typeof createVersionsInForce>;

export const createVersionsInForce = (list: () => Promise<StatuteVersion[]>, clock: Clock) => {
  let kept: { versions: readonly StatuteVersion[]; readAtMs: number } | undefined;

  const read = async (): Promise<readonly StatuteVersion[]> => {
    const readAtMs = clock.now().getTime();
    const versions = await list();
    kept = { versions, readAtMs };
    return versions;
  };

  /** A reading that lies in the future was made before the clock was set back, so it is stale. */
  const isFresh = (readAtMs: number, now: Date): boolean => now.getTime() >= readAtMs && now.getTime() < readAtMs + maxAgeMs;

  return {
    /** At most five seconds old, as every protected call asks. */
    async find(): Promise<Standing> {
      const now = clock.now();
      const versions = kept !== undefined && isFresh(kept.readAtMs, now) ? kept.versions : await read();
      return standingAt(versions, now);
    },
    /** Asks the database. */
    findNow: async (): Promise<Standing> => standingAt(await read(), clock.now()),
    /** The next question goes to the database. */
    forget(): void {
      kept = undefined;
    },
  };
};

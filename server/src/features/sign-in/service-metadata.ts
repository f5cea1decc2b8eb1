import type { Clock } from '#platform/clock/clock.ts';

interface Read<Metadata> {
  readonly metadata: Metadata;
  readonly atMs: number;
}

/** The metadata of an identity service: its addresses and its keys' address. Both may change while this process lives. */
export interface ServiceMetadata<Metadata> {
  /** Rejects only while nothing has ever been read. */
  current(): Promise<Metadata>;
  /** Something went wrong that old metadata would explain: they are read again before they are used next, once a minute at most. */
  doubt(): void;
}

const freshMs = 3_600_000;
const minIntervalMs = 60_000;

/**
 * Fetched on first use, then refreshed hourly in the background, while callers get the cached ones. A failed refresh keeps them: a service
 * whose metadata are unavailable for a while may be working all the same.
 */
export const createServiceMetadata = <Metadata>(
  read: () => Promise<Metadata>,
  { clock, onFailure }: { readonly clock: Clock; readonly onFailure: (error: unknown) => void },
): ServiceMetadata<Metadata> => {
  let known: Read<Metadata> | undefined;
  let reading: Promise<Metadata> | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let isDoubted = false;

  const readOnce = (): Promise<Metadata> => {
    const atMs = clock.now().getTime();
    triedAtMs = atMs;
    reading ??= read()
      .then((metadata) => {
        known = { metadata, atMs };
        return metadata;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };

  return {
    async current() {
      if (known === undefined) return readOnce();
      const { metadata, atMs } = known;
      const nowMs = clock.now().getTime();
      if (nowMs - triedAtMs < minIntervalMs) return metadata;
      if (!isDoubted && nowMs - atMs < freshMs) return metadata;
      const again = readOnce().catch((error: unknown) => {
        onFailure(error);
        return metadata;
      });
      if (!isDoubted) return metadata;
      isDoubted = false;
      return again;
    },

    doubt() {
      isDoubted = true;
    },
  };
};

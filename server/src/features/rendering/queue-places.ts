/**
 * Where a document stands among those that one reader waits for: the first stands before everybody's second, so that whoever opens fifty does
 * not keep others from their one. Known to this process only; where several serve, each counts what it was asked.
 */
export interface QueuePlaces {
  /** From 0 on. Asked at each poll: a document that nobody asks for any more gives its place up. */
  placeOf(reader: string, key: string): number;
  /** The document is there, or never will be. */
  forget(key: string): void;
}

/** Readers poll every five seconds at least. */
const keptMs = 30_000;
const mostReaders = 10_000;

export function createQueuePlaces(nowMs: () => number = () => performance.now()): QueuePlaces {
  const readers = new Map<string, Map<string, number>>();

  function waitingFor(reader: string): Map<string, number> {
    const waiting = readers.get(reader) ?? new Map<string, number>();
    for (const [key, until] of waiting) if (until <= nowMs()) waiting.delete(key);
    // Who asked last is forgotten last.
    readers.delete(reader);
    readers.set(reader, waiting);
    const [oldest] = readers.keys();
    if (readers.size > mostReaders && oldest !== undefined) readers.delete(oldest);
    return waiting;
  }

  return {
    placeOf(reader, key) {
      const waiting = waitingFor(reader);
      waiting.set(key, nowMs() + keptMs);
      return [...waiting.keys()].indexOf(key);
    },
    forget(key) {
      for (const [reader, waiting] of readers) {
        waiting.delete(key);
        if (waiting.size === 0) readers.delete(reader);
      }
    },
  };
}

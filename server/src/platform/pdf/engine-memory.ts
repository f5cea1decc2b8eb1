import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives the memory of past documents back. Each had an engine of some 20 MB of its own, of which the collector sees a small object only: left
 * to itself it lets several of them pile up, and keeps them for as long as the thread is idle.
 */
export interface EngineMemory {
  /** A new engine is about to be made. */
  beforeNext(): void;
  beginRest(): void;
  endRest(): void;
}

export function createEngineMemory(): EngineMemory {
  // The collector can only be reached from a context made after the flag was set.
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  let timer: NodeJS.Timeout | undefined;

  function collect(type: 'minor' | 'major'): void {
    if (typeof found === 'function') Reflect.apply(found, undefined, [{ type }]);
  }

  return {
    // Takes about a millisecond, and the engine of a short document is still among the young objects.
    beforeNext: () => collect('minor'),
    beginRest() {
      timer = setTimeout(collect, restAfterMs, 'major').unref();
    },
    endRest() {
      clearTimeout(timer);
    },
  };
}

const restAfterMs = 250;

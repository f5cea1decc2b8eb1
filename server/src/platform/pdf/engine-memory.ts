import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects the memory of past documents. Each had an engine of some 20 MB, of which the collector sees a small object only: by itself it
 * would keep several of them.
 */
export interface EngineMemory {
  /** Before a new engine is made. */
  beforeNext(): void;
  /** Calls `onRest` and collects when no task follows soon. */
  beginRest(onRest: () => void): void;
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
    beginRest(onRest) {
      timer = setTimeout(() => {
        onRest();
        collect('major');
      }, restAfterMs).unref();
    },
    endRest() {
      clearTimeout(timer);
    },
  };
}

const restAfterMs = 250;

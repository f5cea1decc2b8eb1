import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The collector can only be reached from a context made after the flag was set.
setFlagsFromString('--expose-gc');
// oxlint-disable-next-line typescript/no-unsafe-assignment -- V8's own function
const collect: NodeJS.GCFunction = runInNewContext('gc');

/**
 * Collects the memory of past documents. Each had an engine of some 20 MB, of which the collector sees a small object only: by itself it
 * would keep several of them. `minor` takes about a millisecond, and finds the engine of a short document among the young objects.
 */
export const collectEngines = (type: 'minor' | 'major'): void => collect({ type });

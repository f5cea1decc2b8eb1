import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The collector can only be reached from a context made after the flag was set.
setFlagsFromString('--expose-gc');
// oxlint-disable-next-line typescript/no-unsafe-assignment -- V8's own function
const collect: NodeJS.GCFunction = runInNewContext('gc');

/** A document whose engine has grown over this, beside its file, is closed with its page: threads that wait for work would each hold another one. */
const keptBytes = 64 * 1024 * 1024;

export const isOvergrown = ({ engineBytes, fileBytes }: { engineBytes: number; fileBytes: number }): boolean =>
  engineBytes > keptBytes + 2 * fileBytes;

/**
 * Collects the memory of past documents. Each had an engine of some 20 MB, of which the collector sees a small object only: by itself it
 * would keep several of them. `minor` takes about a millisecond, and finds the engine of a short document among the young objects.
 */
export const collectEngines = (type: 'minor' | 'major'): void => collect({ type });

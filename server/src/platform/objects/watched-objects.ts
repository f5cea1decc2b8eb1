import type { Outage } from '#platform/log/outages.ts';
import type { Objects } from './objects.ts';

/** The service answered, and refused: what it was asked for is not there, or not allowed. */
const isAnswered = (error: unknown): boolean => {
  const metadata: unknown = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  const status: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'httpStatusCode') : undefined;
  return typeof status === 'number' && status < 500;
};

/** What the network or the service has said, below what the store makes of it. */
const ofService = (error: unknown): Error | undefined => {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause : undefined;
};

/** A bucket whose service tells an outage when it gives no answer, or one of 500 and more. */
export const watchedObjects = (objects: Objects, outage: Outage): Objects => {
  const watch = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      const result = await work;
      outage.worked();
      return result;
    } catch (error) {
      const said = ofService(error);
      // Without one the store itself refuses: a key that is none, bytes that differ.
      if (said !== undefined && ('$metadata' in said || 'code' in said || said.name === 'TimeoutError')) {
        if (isAnswered(said)) outage.worked();
        else outage.failed(said);
      }
      throw error;
    }
  };
  return {
    ...objects,
    put: (source, options) => watch(objects.put(source, options)),
    putFiles: (files) => watch(objects.putFiles(files)),
    open: (key, range) => watch(objects.open(key, range)),
    discard: (key) => watch(objects.discard(key)),
    setAside: (key) => watch(objects.setAside(key)),
    retain: (key, until) => watch(objects.retain(key, until)),
    findLock: (key) => watch(objects.findLock(key)),
    probe: () => watch(objects.probe()),
  };
};

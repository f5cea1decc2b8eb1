import type { DocumentsParts } from '#features/documents/parts.ts';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { hashBytes } from '#platform/objects/verified-bytes.ts';
import { recordReading } from './checks.store.ts';

export interface Reading {
  /** Undefined when the stored bytes could not be read. */
  readonly sha256: string | undefined;
  readonly at: Date;
}

/** Reads the stored bytes of a document again and hashes them, with single flight: concurrent callers of this process share one reading. */
export type ReadAgain = (id: string, objectKey: string) => Promise<Reading>;

export const createReadAgain = ({ db, objects, clock, log }: Pick<DocumentsParts, 'db' | 'objects' | 'clock' | 'log'>): ReadAgain => {
  const readings = new Map<string, Promise<Reading>>();

  const read = async (id: string, objectKey: string): Promise<Reading> => {
    try {
      const { sha256 } = await hashBytes(await objects.open(objectKey));
      const at = clock.now();
      await recordReading(db, { id, sha256, at });
      return { sha256, at };
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      log.error({ alarm: 'unreadable', documentId: id, err: error }, 'the stored bytes of a document could not be read');
      const at = clock.now();
      await recordReading(db, { id, sha256: null, at });
      return { sha256: undefined, at };
    }
  };

  return (id, objectKey) => {
    const running = readings.get(id);
    if (running !== undefined) return running;
    const reading = read(id, objectKey).finally(() => readings.delete(id));
    readings.set(id, reading);
    return reading;
  };
};

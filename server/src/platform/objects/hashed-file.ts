import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { orStorageError } from './storage-error.ts';

/** Writes all of the source, hashed on the way, flushes and closes. Throws errors of the source unchanged. */
export const writeHashed = async (source: Readable, file: FileHandle): Promise<{ sha256: string; size: number }> => {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      size += chunk.byteLength;
      // Not `write`: that may write a part only.
      await orStorageError(() => file.appendFile(chunk));
    }
    await orStorageError(() => file.sync());
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), size };
};

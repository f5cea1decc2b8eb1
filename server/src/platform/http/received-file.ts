import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { PortalError } from './errors.ts';

export interface ReceivedFile {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Bytes of an upload gathered per write: each write costs a round trip to another thread, at any size. */
const maxBytesOfOne = 256 * 1024;
/** Hundreds of slow lines gather less: each writes what it has when all of them together hold this much. */
const maxBytesOfAll = 4 * 1024 * 1024;
let heldByAll = 0;

/** An error of the disk becomes STORAGE_ERROR; a broken connection is thrown on unchanged, as no answer can be read. */
export const refuseForDisk = (error: unknown): never => {
  const isOfDisk = error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ECONNRESET';
  throw isOfDisk ? new PortalError('STORAGE_ERROR', { cause: error }) : error;
};

/**
 * Writes a stream to a new file that cannot be changed any more, hashed on the way, in portions with backpressure: the next one is read when this one is
 * written. Takes over the chunks and frees their memory. Flushed to the disk while it is open: opening it again for that would cost as much as writing
 * it. Throws STORAGE_ERROR and errors of the source.
 */
export const receiveFile = async (source: AsyncIterable<Buffer>, path: string): Promise<ReceivedFile> => {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o400).catch(refuseForDisk);
  let size = 0;
  let pieces: Buffer[] = [];
  let held = 0;
  const write = async (): Promise<void> => {
    await writeAll(file, pieces).catch(refuseForDisk);
    for (const piece of pieces) free(piece);
    pieces = [];
    heldByAll -= held;
    held = 0;
  };
  try {
    for await (const piece of source) {
      hash.update(piece);
      pieces.push(piece);
      size += piece.length;
      held += piece.length;
      heldByAll += piece.length;
      if (held >= maxBytesOfOne || heldByAll >= maxBytesOfAll) await write();
    }
    await write();
    await file.sync().catch(refuseForDisk);
  } finally {
    heldByAll -= held;
    await file.close();
  }
  return { path, sha256: hash.digest('hex'), size };
};

/** One after the other. */
export const writeAll = async (file: Pick<FileHandle, 'writev' | 'appendFile'>, pieces: readonly Buffer[]): Promise<void> => {
  if (pieces.length === 0) return;
  const bytes = pieces.reduce((total, piece) => total + piece.length, 0);
  const { bytesWritten } = await file.writev(pieces);
  // A disk that is nearly full writes a part, and fails with the reason on the rest.
  if (bytesWritten < bytes) await file.appendFile(Buffer.concat(pieces).subarray(bytesWritten));
};

/**
 * Gives the memory of a piece back that is a buffer of its own. Left to the garbage collector, a few hundred of them make it walk through
 * everything that lives, since it counts their bytes and knows no cheaper way to learn that they are gone: a sixth of the time of an upload.
 */
const free = ({ buffer, byteLength }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
};

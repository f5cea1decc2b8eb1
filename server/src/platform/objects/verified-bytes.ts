import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange } from '#platform/http/byte-range.ts';
import { AlteredObject } from './altered-object.ts';

export interface Expected {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

interface Options extends Expected {
  /** What is passed on; all of it when left out. The whole source is read and hashed all the same. */
  readonly range?: ByteRange | undefined;
  /** The stored bytes are others (of more bytes than expected, the rest was not read); what it returns is the stream's error. */
  readonly onWrong: (found: Expected) => Promise<Error>;
  /** Everything but the last byte was handed on, and all of the source is right. The last byte follows when this has resolved. */
  readonly beforeLast?: (() => Promise<void>) | undefined;
}

/**
 * Passes on the bytes of `source`, hashed on the way, and stops before the last piece when they are not the expected ones: no reader
 * ever gets a whole wrong file or a whole range of one, and of one piece gets nothing.
 */
export const verifiedBytes = (source: Readable, options: Options): Readable => {
  const verified = Readable.from(verify(source, options), { objectMode: false });
  // A generator that was never started skips its `finally`: a reader that leaves before the first byte would leave the file open.
  verified.once('close', () => source.destroy());
  return verified;
};

/** Reads the source to its end. Of an encrypted object that was altered: what is stored, encrypted. */
export const hashBytes = async (source: Readable): Promise<Expected> => {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    if (error instanceof AlteredObject) return error.found;
    throw error;
  }
  return { sha256: hash.digest('hex'), size };
};

/** Of a piece that begins at `at`, what lies in the range. */
const within = (piece: Buffer, at: number, range: ByteRange | undefined): Buffer =>
  range === undefined ? piece : piece.subarray(Math.max(0, range.start - at), Math.max(0, range.end + 1 - at));

async function* verify(source: Readable, { sha256, size, range, onWrong, beforeLast }: Options): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let seen = 0;
  let held: Buffer | undefined;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const wanted = within(chunk, seen, range);
      hash.update(chunk);
      seen += chunk.length;
      if (seen > size) break;
      if (wanted.length === 0) continue;
      if (held !== undefined) yield held;
      held = wanted;
    }
  } catch (error) {
    throw error instanceof AlteredObject ? await onWrong(error.found) : error;
  }
  const found = hash.digest('hex');
  if (seen !== size || found !== sha256) throw await onWrong({ sha256: found, size: seen });
  if (held === undefined) return;
  yield held.subarray(0, -1);
  await beforeLast?.();
  yield held.subarray(-1);
}

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PortalError } from '#platform/http/errors.ts';
import type { Expected } from '#platform/objects/verified-bytes.ts';
import type { ObjectKey } from './client-keys.ts';
import {
  chunkBytes,
  type Decryption,
  prefixBytes,
  sealedChunkBytes,
  startDecryption,
  startEncryption,
  WrongCiphertext,
} from './cobblestone.ts';

/** What an encrypted object begins with, before its salt: so that it is told from one that was stored as it came. */
export const mark = Buffer.from('pergamin-enc-v1\n');
const headBytes = mark.length + prefixBytes;
/** Of plaintext, encrypted and written at once. */
const portionBytes = 32 * chunkBytes;

const contextOf = (identity: string): Buffer => Buffer.from(`pergamin/object/v1\0${identity}`);

const orStorageError = async <Result>(result: Promise<Result>): Promise<Result> => {
  try {
    return await result;
  } catch (error) {
    throw new PortalError('STORAGE_ERROR', { cause: error });
  }
};

const joined = (pieces: readonly Uint8Array[]): Buffer => {
  const [piece] = pieces;
  return pieces.length === 1 && Buffer.isBuffer(piece) ? piece : Buffer.concat(pieces);
};

export interface Encrypted {
  readonly plain: Expected;
  readonly sealed: Expected;
}

/** Encrypts `source` into a new file while it comes in, and flushes it. Throws STORAGE_ERROR, and errors of the source unchanged. */
export const encryptToFile = async (source: AsyncIterable<Uint8Array>, path: string, { key, identity }: ObjectKey): Promise<Encrypted> => {
  const encryption = startEncryption(key, contextOf(identity));
  const [plainHash, sealedHash] = [createHash('sha256'), createHash('sha256')];
  let [plainSize, sealedSize] = [0, 0];
  const file = await orStorageError(open(path, 'wx', 0o400));
  const write = async (bytes: Buffer): Promise<void> => {
    sealedHash.update(bytes);
    sealedSize += bytes.length;
    await orStorageError(file.appendFile(bytes));
  };
  try {
    let begun = Buffer.concat([mark, encryption.prefix]);
    let pieces: Uint8Array[] = [];
    let held = 0;
    for await (const piece of source) {
      plainHash.update(piece);
      plainSize += piece.byteLength;
      pieces.push(piece);
      held += piece.byteLength;
      if (held < portionBytes) continue;
      const plain = joined(pieces);
      const whole = plain.length - (plain.length % chunkBytes);
      await write(Buffer.concat([begun, encryption.update(plain.subarray(0, whole))]));
      begun = Buffer.alloc(0);
      pieces = [plain.subarray(whole)];
      held = plain.length - whole;
    }
    // A small file is written at once.
    await write(Buffer.concat([begun, encryption.final(joined(pieces))]));
    await orStorageError(file.datasync());
  } finally {
    await file.close();
  }
  return {
    plain: { sha256: plainHash.digest('hex'), size: plainSize },
    sealed: { sha256: sealedHash.digest('hex'), size: sealedSize },
  };
};

/** `start` and `end` inclusive, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

interface Source {
  /** Of the encrypted object. */
  readonly open: (range?: ByteRange) => Promise<Readable>;
  readonly objectKey: ObjectKey;
  /** Gives the error to be thrown when the object is not what was written. */
  readonly onWrong: (error: WrongCiphertext) => Promise<Error>;
}

/** The message, or a range of it: nothing of a chunk is given before its tag is verified, and only chunks of the range are read. */
export const openDecrypted = async (source: Source, range?: ByteRange): Promise<Readable> => {
  const { sealed, pieces } = range === undefined ? await openWhole(source) : await openRange(source, range);
  const plain = Readable.from(translateErrors(pieces, source.onWrong), { objectMode: false });
  // A generator that was never started skips its `finally`.
  plain.once('close', () => sealed.destroy());
  return plain;
};

interface Opened {
  readonly sealed: Readable;
  readonly pieces: AsyncIterable<Buffer>;
}

const openWhole = async ({ open: openSealed, objectKey }: Source): Promise<Opened> => {
  const sealed = await openSealed();
  return { sealed, pieces: decryptWhole(sealed, objectKey) };
};

const openRange = async ({ open: openSealed, objectKey }: Source, range: ByteRange): Promise<Opened> => {
  const head = await buffer(await openSealed({ start: 0, end: headBytes - 1 }));
  const [first, last] = [Math.floor(range.start / chunkBytes), Math.floor(range.end / chunkBytes)];
  const sealed = await openSealed({ start: headBytes + first * sealedChunkBytes, end: headBytes + (last + 1) * sealedChunkBytes - 1 });
  return { sealed, pieces: decryptRange(sealed, { head, objectKey, range }) };
};

async function* translateErrors(pieces: AsyncIterable<Buffer>, onWrong: Source['onWrong']): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    throw error instanceof WrongCiphertext ? await onWrong(error) : error;
  }
}

const startFrom = (head: Buffer, { key, identity }: ObjectKey): Decryption => {
  if (!head.subarray(0, mark.length).equals(mark)) throw new WrongCiphertext('not an encrypted object');
  return startDecryption(key, contextOf(identity), head.subarray(mark.length));
};

async function* decryptWhole(sealed: AsyncIterable<Buffer>, objectKey: ObjectKey): AsyncGenerator<Buffer> {
  let decryption: Decryption | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let chunk = 0;
  for await (const piece of sealed) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    if (decryption === undefined && rest.length >= headBytes) {
      decryption = startFrom(rest.subarray(0, headBytes), objectKey);
      rest = rest.subarray(headBytes);
    }
    const whole = rest.length - (rest.length % sealedChunkBytes);
    if (decryption === undefined || whole === 0) continue;
    yield decryption.open(rest.subarray(0, whole), chunk);
    chunk += whole / sealedChunkBytes;
    rest = rest.subarray(whole);
  }
  if (decryption === undefined || rest.length === 0) throw new WrongCiphertext('cut off');
  const last = decryption.open(rest, chunk);
  if (last.length > 0) yield last;
}

async function* decryptRange(
  sealed: AsyncIterable<Buffer>,
  { head, objectKey, range: { start, end } }: { readonly head: Buffer; readonly objectKey: ObjectKey; readonly range: ByteRange },
): AsyncGenerator<Buffer> {
  const decryption = startFrom(head, objectKey);
  let rest: Buffer = Buffer.alloc(0);
  let chunk = Math.floor(start / chunkBytes);
  const cut = (plain: Buffer): Buffer => {
    const from = chunk * chunkBytes;
    return plain.subarray(Math.max(0, start - from), Math.max(0, end + 1 - from));
  };
  for await (const piece of sealed) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (; rest.length >= sealedChunkBytes; rest = rest.subarray(sealedChunkBytes)) {
      yield cut(decryption.open(rest.subarray(0, sealedChunkBytes), chunk));
      chunk += 1;
    }
  }
  // The last chunk of the message, or one that was cut off.
  if (rest.length > 0) yield cut(decryption.open(rest, chunk));
  else if (chunk * chunkBytes <= end) throw new WrongCiphertext('cut off');
}

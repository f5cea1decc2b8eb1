import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AlteredObject } from './altered-object.ts';

/**
 * Writes what `source` gives to a new file that only its owner can read, and answers the SHA-256 of it. Of an encrypted object that was altered: that of what is
 * stored, encrypted; the file is then not whole.
 */
export const copyHashed = async (source: Readable, path: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<string> => {
  const hash = createHash('sha256');
  try {
    await copy({ source, path, hash, signal });
  } catch (error) {
    if (error instanceof AlteredObject) return error.found.sha256;
    throw error;
  }
  return hash.digest('hex');
};

interface Copying {
  readonly source: Readable;
  readonly path: string;
  readonly hash: Hash;
  readonly signal: AbortSignal | undefined;
}

const copy = ({ path, hash, signal, source }: Copying): Promise<void> =>
  pipeline(
    source,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    ...(signal === undefined ? [] : [{ signal }]),
  );

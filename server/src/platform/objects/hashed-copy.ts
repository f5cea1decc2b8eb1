import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes what `source` gives to a new file that only its owner can read, and answers the SHA-256 of it. */
export const copyHashed = async (source: Readable, path: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(
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
  return hash.digest('hex');
};

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Objects } from '#platform/objects/objects.ts';

/** The stored bytes are not the published ones: nothing may be shown of them. */
export class ObjectAltered extends Error {
  override readonly name = 'ObjectAltered';
}

/** Copies an object to a file of this machine. Throws ObjectAltered when its bytes do not have the hash they were published with. */
export async function copyObject(
  objects: Pick<Objects, 'open'>,
  { objectKey, sha256, path, signal }: { objectKey: string; sha256: string; path: string; signal?: AbortSignal },
): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(
    await objects.open(objectKey),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    ...(signal ? [{ signal }] : []),
  );
  if (hash.digest('hex') !== sha256) throw new ObjectAltered(`the object ${objectKey} is not what was published`);
}

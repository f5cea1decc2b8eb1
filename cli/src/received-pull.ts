import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { calls, type ReceivedDocument } from '@pergamin/contract';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';

export interface PullCounts {
  pulled: number;
  /** Complete in the folder already: an earlier run was interrupted before it could acknowledge it. */
  present: number;
  failed: number;
}

interface Pull {
  readonly connection: Connection;
  readonly folder: string;
  readonly onFailed: (id: string, reason: string) => void;
}

const atOnce = 100;

/**
 * Fetches the sent documents that are not acknowledged yet, oldest first. A document is acknowledged when its bytes have their checksum
 * and are on the disk, so that an interrupted run loses nothing and the next one continues. One whose bytes are wrong is named
 * and left for the next run. Throws RefusedError when the portal does not answer.
 */
export const pullReceived = async ({ connection, folder, onFailed }: Pull): Promise<PullCounts> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const counts: PullCounts = { pulled: 0, present: 0, failed: 0 };
  let since = '0';
  for (;;) {
    const { items, cursor, more } = await connection.call(calls.listReceived, { query: { since, limit: String(atOnce), pending: 'true' } });
    for (const item of items)
      try {
        counts[await pullOne(connection, folder, item)] += 1;
      } catch (error) {
        if (!(error instanceof WrongBytes) && !isAboutOne(error)) throw error;
        counts.failed += 1;
        onFailed(item.id, error.message);
      }
    if (!more) return counts;
    since = String(cursor);
  }
};

/** What came is not what the portal said it would be. */
class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

/** The portal refuses this document, and may well hand out the next one. */
const isAboutOne = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.status !== undefined && [404, 503].includes(error.status);

const pullOne = async (connection: Connection, folder: string, item: ReceivedDocument): Promise<'pulled' | 'present'> => {
  const path = join(folder, `${item.id}.pdf`);
  const isPresent = (await hashOf(path)) === item.sha256;
  if (!isPresent) {
    const description = Buffer.from(`${JSON.stringify(item, undefined, 2)}\n`);
    await writeWhole(join(folder, `${item.id}.json`), [description], undefined);
    // A connection that breaks in the middle is an error of the stream.
    const bytes = await connection.open(calls.downloadReceived, { params: { id: item.id } });
    await writeWhole(path, bytes, item);
    await syncFolder(folder);
  }
  await connection.call(calls.acknowledgeReceived, { params: { id: item.id } });
  return isPresent ? 'present' : 'pulled';
};

/** Under its name when it is whole, right and on the disk; else not at all. */
const writeWhole = async (
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  expected: { readonly sha256: string; readonly size: number } | undefined,
): Promise<void> => {
  const unfinished = `${path}.part`;
  try {
    const hash = createHash('sha256');
    let size = 0;
    {
      await using file = await open(unfinished, 'w', 0o600);
      try {
        for await (const chunk of chunks) {
          hash.update(chunk);
          size += chunk.byteLength;
          await file.appendFile(chunk);
        }
      } catch (error) {
        if (error instanceof Error && 'syscall' in error) throw error;
        throw new WrongBytes('the bytes broke off', { cause: error });
      }
      await file.sync();
    }
    if (expected !== undefined && (size !== expected.size || hash.digest('hex') !== expected.sha256))
      throw new WrongBytes('the bytes that came are not those that the portal has the checksum of');
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
};

const hashOf = async (path: string): Promise<string | undefined> => {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
};

const syncFolder = async (folder: string): Promise<void> => {
  // Windows has no such thing as a folder's handle; its file system keeps names in order by itself.
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
};

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { calls, documentId, type ReceivedDocument } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';
import { fileProblem } from './file-problem.ts';
import { takeFolder } from './one-pull-at-a-time.ts';

export interface PullCounts {
  pulled: number;
  /** Complete in the folder already: an earlier run was interrupted before it could acknowledge it. */
  present: number;
  failed: number;
}

interface Pull {
  readonly connection: Connection;
  readonly folder: string;
  /** Counted on, so that they are right when it throws, too. */
  readonly counts: PullCounts;
  readonly onFailed: (id: string, reason: string) => void;
}

const atOnce = 100;

/**
 * Fetches the sent documents that are not acknowledged yet, oldest first. A document is acknowledged when its bytes have their checksum
 * and are on the disk, so that an interrupted run loses nothing and the next one continues. One that fails is named and left for the next run.
 * Throws RefusedError when every other one would fail alike: the portal does not answer or does not take the key, the disk is full, another
 * pull works in the folder.
 */
export const pullReceived = async ({ connection, folder, counts, onFailed }: Pull): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using own = await takeFolder(folder);
  let since = '0';
  let unanswered = 0;
  for (;;) {
    const { items, cursor, more } = await connection.call(calls.listReceived, { query: { since, limit: String(atOnce), pending: 'true' } });
    for (const item of items) {
      await own.touch();
      try {
        counts[await pullOne(connection, folder, item)] += 1;
        unanswered = 0;
      } catch (error) {
        unanswered = isUnanswered(error) ? unanswered + 1 : 0;
        const reason = unanswered < maxUnanswered ? reasonOf(error, pathOf(folder, item)) : undefined;
        if (reason === undefined) throw fullDisk(error, pathOf(folder, item)) ?? error;
        counts.failed += 1;
        onFailed(item.id, reason);
      }
    }
    if (!more) return;
    since = String(cursor);
  }
};

/** What came is not what the portal said it would be. */
class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

/** One answer may get lost on its way; after as many in a row the portal is away. */
const maxUnanswered = 2;

const isUnanswered = (error: unknown): boolean => error instanceof RefusedError && error.status === undefined;

/** Each document would be refused alike. */
const statusesOfKey = [401, 403, 421, 429];

/** Of one document; undefined: the others would fail for the same reason. */
const reasonOf = (error: unknown, path: string): string | undefined => {
  if (error instanceof WrongBytes) return error.message;
  if (error instanceof RefusedError) return error.status !== undefined && statusesOfKey.includes(error.status) ? undefined : error.message;
  const problem = fileProblem(error, path);
  return problem?.isOfDisk === false ? problem.sentence : undefined;
};

const fullDisk = (error: unknown, path: string): RefusedError | undefined => {
  const problem = fileProblem(error, path);
  return problem === undefined ? undefined : new RefusedError(problem.sentence, { cause: error });
};

const pathOf = (folder: string, { id }: ReceivedDocument): string => join(folder, `${id}.pdf`);

const pullOne = async (connection: Connection, folder: string, item: ReceivedDocument): Promise<'pulled' | 'present'> => {
  // It becomes the name of a file.
  if (!safeParse(documentId, item.id).success) throw new WrongBytes('this is no id of a document');
  const path = pathOf(folder, item);
  const isPresent = (await hashOf(path)) === item.sha256;
  if (!isPresent) {
    const description = Buffer.from(`${JSON.stringify(item, undefined, 2)}\n`);
    await writeWhole(join(folder, `${item.id}.json`), [description], undefined);
    // A connection that breaks in the middle is an error of the stream.
    const bytes = await connection.open(calls.downloadReceived, { params: { id: item.id } });
    await writeWhole(path, bytes, item);
    await syncFolder(folder);
  }
  await acknowledge(connection, item);
  return isPresent ? 'present' : 'pulled';
};

const acknowledge = async (connection: Connection, { id }: ReceivedDocument): Promise<void> => {
  try {
    await connection.call(calls.acknowledgeReceived, { params: { id } });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const { message, status } = error;
    const said = status === undefined ? {} : { status };
    throw new RefusedError(`it lies in the folder, and the next pull acknowledges it: ${message}`, { ...said, cause: error });
  }
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

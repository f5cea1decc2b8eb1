import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { AlreadyRunningError } from './errors.ts';

const LOCK_FILE = 'pergamin.lock';
const PROCESS_FILE = 'pergamin.pid';

/** The kernel frees a killed holder's lock while it tears the process down, which may end a moment after `kill` returned. */
const GRACE_MS = 1_000;
const RETRY_MS = 50;

/**
 * Makes this process the only one that serves `dataDir` (an existing folder), until `release` or until the process ends in any way.
 * @throws AlreadyRunningError when another living process holds it.
 */
export async function lockDataFolder(dataDir: string) {
  const file = join(dataDir, LOCK_FILE);
  const processFile = join(dataDir, PROCESS_FILE);
  const deadline = Date.now() + GRACE_MS;
  let unlock = tryLock(file);
  while (unlock === undefined) {
    if (Date.now() >= deadline) throw new AlreadyRunningError({ dataDir, processId: await readProcessId(processFile) });
    await pause(RETRY_MS);
    unlock = tryLock(file);
  }
  const held = unlock;
  try {
    await writeFile(processFile, `${process.pid}\n`);
  } catch (error) {
    held();
    throw error;
  }
  return {
    async release(): Promise<void> {
      await rm(processFile, { force: true });
      held();
    },
  };
}

/** Whether a living process serves (or is about to serve) `dataDir` now. */
export function isDataFolderLocked(dataDir: string): boolean {
  const file = join(dataDir, LOCK_FILE);
  if (!existsSync(file)) return false;
  const unlock = tryLock(file);
  unlock?.();
  return unlock === undefined;
}

/**
 * Node has no file locks of its own; SQLite takes the operating system's (fcntl, LockFileEx), which die with their process.
 * The file stays empty: nothing is ever written through the connection.
 * @NOTE fcntl locks go when *any* descriptor of the file is closed in the holding process: nothing else may open this file.
 */
function tryLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('begin exclusive');
    return () => database.close();
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

async function readProcessId(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const id = Number.parseInt(text, 10);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';

const FAST_STOP_MS = 3_000;
const GIVE_UP_MS = 15_000;
const POLL_MS = 25;

/**
 * Ends the processes that a killed Pergamin left on this data folder and waits until the last is gone, so that a start may follow at once.
 * The caller holds the data folder's lock, so nothing here belongs to a living Pergamin.
 */
export async function endPreviousProcesses(dataFolder: string): Promise<void> {
  const began = Date.now();
  let signalled: NodeJS.Signals | undefined;
  for (;;) {
    const processIds = await listProcessesOn(dataFolder);
    if (processIds.length === 0) return removePidFile(dataFolder);
    const elapsedMs = Date.now() - began;
    if (elapsedMs > GIVE_UP_MS) {
      throw new EmbeddedPostgresError(`PostgreSQL of an earlier start does not end on ${dataFolder} (process ${processIds.join(', ')})`);
    }
    const signal = elapsedMs > FAST_STOP_MS ? 'SIGQUIT' : 'SIGINT';
    const postmaster = await findPostmaster(dataFolder);
    if (signal !== signalled && postmaster !== undefined && processIds.includes(postmaster)) {
      signalled = signal;
      sendSignal(postmaster, signal);
    }
    await pause(POLL_MS);
  }
}

/**
 * PostgreSQL refuses to start while the process its pid file names seems alive, and in a container a number is soon reused, or stays
 * a zombie's for good. Where we see every process, we know better. (A left-over backend would still be noticed by its shared memory.)
 */
async function removePidFile(dataFolder: string): Promise<void> {
  if (process.platform === 'linux') await rm(join(dataFolder, 'postmaster.pid'), { force: true });
}

/** Every process of PostgreSQL works in its data folder: postmaster, backends, writers. Elsewhere than on Linux only the postmaster is seen. */
export async function listProcessesOn(dataFolder: string): Promise<number[]> {
  if (process.platform !== 'linux') {
    const postmaster = await findPostmaster(dataFolder);
    return postmaster !== undefined && sendSignal(postmaster, 0) ? [postmaster] : [];
  }
  const workingFolder = await realpath(dataFolder).catch(() => dataFolder);
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const cwd = await readlink(join('/proc', name, 'cwd')).catch(() => undefined);
    // An operator's shell may have the same working folder.
    if (cwd === workingFolder && (await isPostgres(name))) found.push(Number(name));
  }
  return found;
}

async function isPostgres(processId: string): Promise<boolean> {
  const program = await readFile(join('/proc', processId, 'comm'), 'utf8').catch(() => '');
  return program.trim() === 'postgres';
}

async function findPostmaster(dataFolder: string): Promise<number | undefined> {
  const text = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const id = Number.parseInt(text, 10);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** False when there is no such process (any more). */
function sendSignal(processId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(processId, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * One process at a time, across processes, without anything installed: a folder is the lock, because making one is atomic everywhere.
 * A file inside it names the owner. A dead owner's lock is taken apart by removing exactly that file (only one waiter can succeed) and then
 * the empty folder, so two waiters can never both believe that they freed it.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const pollMs = 250;
const emptyIsStaleAfterMs = 5_000;
const otherHostIsStaleAfterMs = 15 * 60_000;

/**
 * Runs `work` while holding the lock `name` in `folder`; waits as long as a living process holds it.
 *
 * @template T
 * @param {{ folder: string, name: string, onWait?: () => void }} lock
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function exclusively(lock, work) {
  const release = await acquire(lock);
  try {
    return await work();
  } finally {
    release();
  }
}

/** @param {{ folder: string, name: string, onWait?: () => void }} lock */
async function acquire({ folder, name, onWait }) {
  const lockFolder = path.join(folder, `${name}.lock`);
  const owner = `${os.hostname()}~${process.pid}~${startTimeOf(process.pid) ?? '0'}`;
  fs.mkdirSync(folder, { recursive: true });
  for (let told = false; ;) {
    if (tryToTake(lockFolder, owner)) return () => free(lockFolder, owner);
    if (!freeIfStale(lockFolder)) {
      if (!told) onWait?.();
      told = true;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}

function tryToTake(lockFolder, owner) {
  try {
    fs.mkdirSync(lockFolder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    fs.writeFileSync(path.join(lockFolder, owner), '');
    return true;
  } catch (error) {
    // Stalled between the two steps for so long that another process took the empty folder for a dead one's.
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/** @returns {boolean} whether it is worth trying again at once */
function freeIfStale(lockFolder) {
  let owners;
  let ageMs;
  try {
    owners = fs.readdirSync(lockFolder);
    ageMs = Date.now() - fs.statSync(lockFolder).mtimeMs;
  } catch {
    return true;
  }
  const [owner] = owners;
  if (owner === undefined) return ageMs > emptyIsStaleAfterMs && free(lockFolder);
  return !isAlive(owner, ageMs) && free(lockFolder, owner);
}

function free(lockFolder, owner) {
  try {
    if (owner !== undefined) fs.unlinkSync(path.join(lockFolder, owner));
    fs.rmdirSync(lockFolder);
    return true;
  } catch {
    return false;
  }
}

function isAlive(owner, ageMs) {
  const [host, pid, startTime] = owner.split('~');
  if (host !== os.hostname()) return ageMs < otherHostIsStaleAfterMs;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM' && isSameProcess(pid, startTime);
  }
  return isSameProcess(pid, startTime);
}

// Process ids are given out again: after a reboot the old owner's id may belong to anybody.
function isSameProcess(pid, startTime) {
  const now = startTimeOf(pid);
  return now === undefined || startTime === '0' || now === startTime;
}

function startTimeOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

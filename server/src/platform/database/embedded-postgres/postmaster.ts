import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseLog } from '../connection.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { OperatingSystemUser } from './operating-system-user.ts';
import { ownSettings } from './own-settings.ts';
import { PROGRAM_ENVIRONMENT } from './run-program.ts';
import { startWatcher } from './watcher.ts';

/** Replaying the log after a crash takes time; PostgreSQL logs its progress. */
const READY_WITHIN_MS = 5 * 60 * 1_000;
const READY_POLL_MS = 10;
const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;
const KEPT_LINES = 20;

export interface PostmasterPlan {
  readonly binFolder: string;
  readonly dataFolder: string;
  readonly user: OperatingSystemUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: DatabaseLog;
  /** Called when the database ends without having been stopped. */
  readonly onUnexpectedExit: (error: EmbeddedPostgresError) => void;
}

export interface Postmaster {
  readonly pid: number;
  /** A fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL on a prepared data folder that no other process uses; resolves when it takes connections. */
export async function startPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
  const { dataFolder, user, log, onUnexpectedExit } = plan;
  const { child, pid } = await spawnPostmaster(plan);
  const lastLines = forwardLog({ child, log });
  const watcher = startWatcher({ postmaster: pid, dataFolder, user });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopChild({ child, exited }).finally(() => watcher.dismiss()));
  const describeExit = (): EmbeddedPostgresError =>
    new EmbeddedPostgresError(`PostgreSQL ended with ${child.exitCode ?? child.signalCode}: ${lastLines.join(' | ')}`);

  const state = await waitUntilReady({ child, pid, dataFolder });
  if (state !== 'ready') {
    await stop();
    throw state === 'ended' ? describeExit() : new EmbeddedPostgresError(`PostgreSQL is not ready after ${READY_WITHIN_MS / 1_000} s`);
  }
  void exited.then(() => {
    watcher.dismiss();
    if (stopping === undefined) onUnexpectedExit(describeExit());
  });
  return { pid, stop };
}

async function spawnPostmaster({ binFolder, dataFolder, user, settings }: PostmasterPlan): Promise<{ child: ChildProcess; pid: number }> {
  const postgres = join(binFolder, 'postgres');
  const given = { ...(await ownSettings(dataFolder)), ...settings };
  const args = ['-D', dataFolder, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  // A session of its own: Ctrl-C in a terminal signals only this process, which then stops PostgreSQL in order.
  const child = spawn(postgres, args, {
    cwd: dataFolder,
    env: PROGRAM_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  await once(child, 'spawn').catch((error: unknown) => {
    throw new EmbeddedPostgresError(`${postgres} could not be run`, { cause: error });
  });
  if (child.pid === undefined) throw new EmbeddedPostgresError(`${postgres} has no process`);
  return { child, pid: child.pid };
}

/** Gives the list of the last lines, which grows on. */
function forwardLog({ child, log }: { child: ChildProcess; log: DatabaseLog }): string[] {
  const lastLines: string[] = [];
  if (child.stderr === null) return lastLines;
  createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', (line) => {
    if (lastLines.push(line) > KEPT_LINES) lastLines.shift();
    if (/\b(FATAL|PANIC):/.test(line)) log.error({ postgres: line }, 'PostgreSQL reports');
    else if (/\bWARNING:/.test(line)) log.warn({ postgres: line }, 'PostgreSQL reports');
    else log.debug({ postgres: line }, 'PostgreSQL reports');
  });
  return lastLines;
}

/** The postmaster keeps its state in the eighth line of its pid file. */
async function waitUntilReady({
  child,
  pid,
  dataFolder,
}: {
  child: ChildProcess;
  pid: number;
  dataFolder: string;
}): Promise<'ready' | 'ended' | 'late'> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child)) return 'ended';
    const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (lines[0] === String(pid) && lines[7]?.trim() === 'ready') return 'ready';
    await pause(READY_POLL_MS);
  }
  return 'late';
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stopChild({ child, exited }: { child: ChildProcess; exited: Promise<void> }): Promise<void> {
  const steps: readonly [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', 0],
  ];
  for (const [signal, waitMs] of steps) {
    if (hasEnded(child)) return;
    child.kill(signal);
    if (signal !== 'SIGKILL') await Promise.race([exited, pause(waitMs, undefined, { ref: false })]);
  }
  await exited;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { DatabaseConnection } from '#platform/database/connection.ts';

const program = fileURLToPath(new URL('embedded-postgres-process.ts', import.meta.url));

const answerSchema = z.union([
  z.object({
    pid: z.int(),
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
  }),
  z.object({ refused: z.string() }),
]);

export interface EmbeddedPostgresProcess extends AsyncDisposable {
  /** The Node process that started PostgreSQL. */
  readonly starter: number;
  readonly postmaster: number;
  readonly connection: DatabaseConnection;
  /** The working folder of PostgreSQL's processes. */
  readonly dataFolder: string;
  readonly stop: () => Promise<void>;
  /** kill -9 of the starter; resolves when the starter is gone. */
  readonly kill: () => Promise<void>;
}

export interface StartPlan {
  readonly dataDir: string;
  readonly stateFolder?: string;
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts the embedded PostgreSQL from a process of its own, which may be killed. Disposing ends it, if it still runs.
 * Rejects with the process's own words when it refuses to start.
 */
export async function startEmbeddedPostgresProcess({ dataDir, stateFolder, uid, env }: StartPlan): Promise<EmbeddedPostgresProcess> {
  const child = spawn(process.execPath, [program, dataDir, ...(stateFolder === undefined ? [] : [stateFolder])], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    ...(uid === undefined ? {} : { uid, gid: uid, cwd: '/' }),
  });
  const exited = once(child, 'exit');
  const [line]: unknown[] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => ['{"refused":"no answer"}']),
  ]);
  const answer = answerSchema.parse(JSON.parse(String(line)));
  if ('refused' in answer) throw new Error(answer.refused);
  const { pid: postmaster, connection } = answer;
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return {
    starter: getPid(child),
    postmaster,
    connection,
    dataFolder: await readlink(join('/proc', String(postmaster), 'cwd')),
    stop,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    [Symbol.asyncDispose]: async () => (child.exitCode === null && child.signalCode === null ? stop() : undefined),
  };
}

/** Every living process that belongs to this data folder: PostgreSQL's own work in it, the watcher has it among its arguments. */
export async function listProcessesFor(dataFolder: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    const [cwd, command] = await Promise.all([
      readlink(join('/proc', id, 'cwd')).catch(() => ''),
      readFile(join('/proc', id, 'cmdline'), 'utf8').catch(() => ''),
    ]);
    const words = command.split('\0');
    if (cwd === dataFolder || words.includes(dataFolder)) found.push(`${id} ${words[0]}`);
  }
  return found;
}

/** What is still there after the given time; comes back as soon as nothing is. */
export async function listProcessesLeftAfter({ dataFolder, waitMs }: { dataFolder: string; waitMs: number }): Promise<string[]> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const left = await listProcessesFor(dataFolder);
    if (left.length === 0 || Date.now() >= deadline) return left;
    await pause(20);
  }
}

function getPid(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the process has no number');
  return child.pid;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Measuring, Promised } from './promise.ts';

const programOf = (name: string): string => fileURLToPath(new URL(`../tools/bootstrap/${name}.mjs`, import.meta.url));
const idleAfterMs = 3_000;
/** The demonstration loads within two minutes; the threads that read its PDFs end a minute after their last one, and jobs have run by then. */
const loadedAndIdleAfterMs = 360_000;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};

interface Started {
  readonly child: ChildProcess;
  readonly seconds: number;
}

const startServer = async (dataDir: string, program = programOf('serve'), demo: 'auto' | 'off' = 'off'): Promise<Started> => {
  const port = String(await freePort());
  const environment = { ...process.env, DATA_DIR: dataDir, DEMO: demo, PORT: port, PUBLIC_URL: `http://localhost:${port}` };
  const begun = performance.now();
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('Pergamin is ready at ')) return { child, seconds: (performance.now() - begun) / 1_000 };
  throw new Error(`the server ended with ${child.exitCode} before it was ready`);
};

const stopServer = async ({ child }: Started): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
};

/** Resident memory of a process; PostgreSQL's are apart. */
const residentMb = async (pid: number | string | undefined): Promise<number> => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
};

/** A first start by `npm start`'s program, which sets the memory options of the server that it starts, loads the demonstration and idles. */
const openFirst = async (): Promise<Measuring> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
  return {
    async ours() {
      const started = await startServer(folder, programOf('start'), 'auto');
      try {
        await pause(loadedAndIdleAfterMs);
        const { pid } = started.child;
        return await residentMb((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim());
      } finally {
        await stopServer(started);
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
};

/** On a data folder that a first start has made. */
const open = async (measureServer: (started: Started) => Promise<number>): Promise<Measuring> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
  await stopServer(await startServer(folder));
  return {
    async ours() {
      const started = await startServer(folder);
      try {
        return await measureServer(started);
      } finally {
        await stopServer(started);
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
};

export const start: readonly Promised[] = [
  {
    name: 'second-start',
    promise: 'from the command to ready, on a folder that is there',
    unit: 's',
    limit: 2,
    rounds: 5,
    open: () => open(async ({ seconds }) => seconds),
  },
  {
    name: 'idle-memory',
    promise: 'resident memory of the idle server, without PostgreSQL',
    unit: 'MB',
    limit: 250,
    rounds: 1,
    open: () =>
      open(async (started) => {
        await pause(idleAfterMs);
        return residentMb(started.child.pid);
      }),
  },
  {
    name: 'loaded-memory',
    promise: 'resident memory of the server that has loaded the demonstration, without PostgreSQL, six minutes after its start',
    unit: 'MB',
    limit: 250,
    rounds: 1,
    open: openFirst,
  },
];

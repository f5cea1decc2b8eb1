import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CommandLine, ResidentAnswer } from './resident-pergamin.ts';

export const pergaminProgram = fileURLToPath(new URL('../../bin/pergamin.mjs', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Processes that have run a command and wait for another one: starting one takes longer than most commands. */
const idle: ChildProcess[] = [];

interface Surroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** In processes of its own, as a shell runs it: what it writes to the terminal beside its streams, and that it ends. */
  readonly isAlone?: boolean;
}

/** Runs the command as a shell in that folder would, with nothing else in its environment. */
export const runPergamin = async (args: string[], { folder, environment, isAlone = false }: Surroundings): Promise<Ended> => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  if (isAlone) {
    const child = spawn(process.execPath, [pergaminProgram, ...args], { cwd: folder, env: { PATH, NODE_COMPILE_CACHE, ...environment } });
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: child.exitCode ?? -1, out, error };
  }
  const resident = idle.pop() ?? startResident({ PATH, NODE_COMPILE_CACHE });
  const line: CommandLine = { args, folder, environment: { PATH, ...environment } };
  const { ended, isSpent } = await new Promise<ResidentAnswer>((resolve, reject) => {
    resident.once('exit', reject).once('message', resolve).send(line);
  });
  resident.removeAllListeners();
  if (!isSpent) idle.push(resident);
  return ended;
};

/** Ends with this process. */
const startResident = (env: Record<string, string>): ChildProcess => {
  const resident = fork(new URL('./resident-pergamin.ts', import.meta.url), {
    execArgv: [],
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  resident.unref();
  resident.channel?.unref();
  return resident;
};

export const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
};

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
};

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const pergaminProgram = fileURLToPath(new URL('../../bin/pergamin.mjs', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** The very command, in a process and a folder of its own. */
export const runPergamin = async (
  args: string[],
  { folder, environment }: { folder: string; environment: Readonly<Record<string, string>> },
): Promise<Ended> => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [pergaminProgram, ...args], { cwd: folder, env: { PATH, NODE_COMPILE_CACHE, ...environment } });
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode ?? -1, out, error };
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

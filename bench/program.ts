import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of the folder `programs`, in a process of its own whose time can be read. It answers each line with a line of JSON. */
export interface RunningProgram {
  readonly pid: number;
  /** The first line it says, by itself. */
  readonly greeting: unknown;
  ask(line: string): Promise<unknown>;
  /** By the end of its input. */
  stop(): Promise<void>;
}

/** `nodeOptions`: of Node and V8, before the program. */
export const startProgram = async (
  name: string,
  order: object,
  folder: string,
  nodeOptions: readonly string[] = [],
): Promise<RunningProgram> => {
  const path = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url));
  const errors = join(folder, `${name}.log`);
  const log = openSync(errors, 'a');
  const child = spawn(process.execPath, [...nodeOptions, path, JSON.stringify(order)], { stdio: ['pipe', 'pipe', log] });
  closeSync(log);
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error(`${name} cannot be talked to`);
  const exited = once(child, 'exit');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const hear = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${name} ended: ${(await readFile(errors, 'utf8')).slice(-2_000)}`);
    return JSON.parse(value);
  };
  const greeting = await hear();
  if (child.pid === undefined) throw new Error(`${name} could not be started`);
  return {
    pid: child.pid,
    greeting,
    ask(line) {
      stdin.write(`${line}\n`);
      return hear();
    },
    async stop() {
      stdin.end();
      await exited;
    },
  };
};

/** In the program itself: the order it was started with. */
export const readOrder = (): unknown => JSON.parse(process.argv[2] ?? 'null');

export const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { UsageError } from './errors.ts';

const endWithCommand = new URL('./end-with-command.ts', import.meta.url).href;

/** Runs a program of the portal on this terminal, with its exit code; it ends with this process. Throws UsageError where the portal is not installed. */
export const runServerProgram = async (path: string, args: readonly string[]): Promise<void> => {
  if (!existsSync(path)) throw new UsageError('the portal is not installed here: run this on its machine');
  const child = spawn(process.execPath, ['--import', endWithCommand, path, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
};

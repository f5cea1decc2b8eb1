import { pathToFileURL } from 'node:url';

let runs = 0;

/** In place of a process: runs a program of the portal in this one, where what it imports is loaded once. */
export const runServerProgram = async (path: string, args: readonly string[]): Promise<void> => {
  process.argv = [process.execPath, path, ...args];
  runs += 1;
  const program = pathToFileURL(path);
  program.search = `run=${runs}`;
  await import(program.href);
};

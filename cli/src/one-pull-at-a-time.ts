import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RefusedError } from './errors.ts';

/** After which a pull that has fetched nothing more is taken to be dead, also on another machine. A document takes seconds. */
const silentForMs = 10 * 60_000;

/** A folder in which this process alone works. */
export interface OwnFolder extends AsyncDisposable {
  /** To be called now and then: it is at work. */
  touch(): Promise<void>;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** In words who works there; undefined: nobody does any more. */
const findOther = async (path: string): Promise<string | undefined> => {
  const found = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch((error: unknown) => {
    // It has just ended.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const [written, { mtimeMs }] = found;
  const [, pid = '', host = ''] = /^(\d{1,10}) (\S+)$/.exec(written.trim()) ?? [];
  const isSilent = Date.now() - mtimeMs > silentForMs;
  if (isSilent || (host === hostname() && !isAlive(Number(pid)))) return undefined;
  return pid === '' ? 'another process' : `process ${pid} of ${host}`;
};

/** Throws RefusedError while another pull works in the folder; one that was killed leaves it free. */
export const takeFolder = async (folder: string): Promise<OwnFolder> => {
  const path = join(folder, '.pull');
  for (;;) {
    try {
      await using file = await open(path, 'wx', 0o600);
      await file.writeFile(`${process.pid} ${hostname()}\n`);
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const other = await findOther(path);
      if (other !== undefined) throw new RefusedError(`another pull works in ${folder} (${other}): wait until it has ended`);
      await rm(path, { force: true });
    }
  }
  return {
    async touch() {
      const now = new Date();
      await utimes(path, now, now);
    },
    [Symbol.asyncDispose]: () => rm(path, { force: true }),
  };
};

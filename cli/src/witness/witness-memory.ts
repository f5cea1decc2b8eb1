import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, formatNote, parseCheckpoint } from '@pergamin/ledger';
import { UsageError } from '../errors.ts';
import { writeWhole } from './write-whole.ts';

/** What a witness must never forget: the last checkpoint that it cosigned of each log. Losing it is losing the key. */
export type WitnessMemory = Awaited<ReturnType<typeof openWitnessMemory>>;

export const originHash = (origin: string): string => createHash('sha256').update(origin).digest('hex');

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Two processes with one folder could each cosign another tree of the same size. */
const lock = async (path: string): Promise<void> => {
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(String(process.pid));
      await file.close();
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (holder > 0 && holder !== process.pid && isRunning(holder))
      throw new UsageError(`another witness runs with this folder, as process ${holder}`);
    await rm(path, { force: true });
  }
};

export const openWitnessMemory = async (folder: string) => {
  await mkdir(join(folder, 'evidence'), { recursive: true, mode: 0o700 });
  const lockPath = join(folder, 'lock');
  await lock(lockPath);
  const pathOf = (origin: string): string => join(folder, `${originHash(origin)}.checkpoint`);
  return {
    /** Undefined before the first. Throws when what is stored cannot be read: then nothing may be cosigned. */
    async last(origin: string): Promise<Checkpoint | undefined> {
      const text = await readFile(pathOf(origin), 'utf8').catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      });
      return text === undefined ? undefined : parseCheckpoint(text);
    },
    keep: ({ origin, note }: Checkpoint): Promise<void> => writeWhole(pathOf(origin), formatNote(note)),
    /** A checkpoint that the log has signed, of the same size as another one and with another root; kept once. Gives the file's path. */
    async keepEvidence({ note }: Checkpoint): Promise<string> {
      const text = formatNote(note);
      const path = join(folder, 'evidence', `${originHash(text)}.checkpoint`);
      await writeWhole(path, text);
      return path;
    },
    close: (): Promise<void> => rm(lockPath, { force: true }),
  };
};

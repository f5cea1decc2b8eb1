import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '#platform/disk/files.ts';

const run = promisify(execFile);

export interface SmallDisk extends AsyncDisposable {
  readonly folder: string;
  /** Writes a file until only so much of the disk is free. */
  fillTo(percentFree: number): Promise<void>;
  /** Removes that file. */
  empty(): Promise<void>;
  /** As the kernel does with a disk that has faults. Throws while a file on it is open for writing. */
  allowWriting(isAllowed: boolean): Promise<void>;
}

/** A file system in memory. Only root may mount one, and not everywhere: undefined then, and the reason is printed. */
export const mountSmallDisk = async (megabytes: number): Promise<SmallDisk | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
  } catch (error) {
    await rm(folder, { recursive: true });
    process.stdout.write(`(skipped: no small disk can be mounted here: ${String(error).split('\n')[0]})\n`);
    return undefined;
  }
  const filling = join(folder, 'filling');
  return {
    folder,
    async fillTo(percentFree) {
      await rm(filling, { force: true });
      const { bavail, blocks, bsize } = await statfs(folder);
      const bytes = Math.max(0, bavail * bsize - Math.floor((blocks * bsize * percentFree) / 100));
      const file = await open(filling, 'w');
      try {
        await file.writeFile(Buffer.alloc(bytes));
      } catch (error) {
        // Another writer was faster, and the disk is full, too.
        if (!hasCode(error, 'ENOSPC')) throw error;
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filling, { force: true }),
    async allowWriting(isAllowed) {
      await run('mount', ['-o', `remount,${isAllowed ? 'rw' : 'ro'}`, folder]);
    },
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true });
    },
  };
};

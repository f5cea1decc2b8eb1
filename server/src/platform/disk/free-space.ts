import { statfs } from 'node:fs/promises';

export interface Space {
  /** For processes that are not root. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Of the disk that holds a folder. */
export type ReadSpace = () => Promise<Space>;

/** `freeBytes` is what the portal’s own user may write, without the part that is reserved for root. */
export const createReadSpace =
  (folder: string): ReadSpace =>
  async () => {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  };

/** By how much less is free than this part of the disk; 0 when there is enough. */
export const missingBytes = ({ freeBytes, totalBytes }: Space, percent: number): number =>
  Math.max(0, Math.ceil((totalBytes * percent) / 100) - freeBytes);

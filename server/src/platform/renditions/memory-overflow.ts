import { sep } from 'node:path';

/** Files by path that the disk has no room for. Evicts the least recently used ones above `maxBytes`. */
export interface MemoryOverflow {
  get(path: string): Buffer | undefined;
  has(path: string): boolean;
  set(path: string, bytes: Buffer): void;
  namesIn(folder: string): string[];
  /** The file of this path, or all files in this folder. */
  remove(path: string): void;
}

export const createMemoryOverflow = (maxBytes: number): MemoryOverflow => {
  const files = new Map<string, Buffer>();
  let total = 0;
  const drop = (path: string): void => {
    total -= files.get(path)?.length ?? 0;
    files.delete(path);
  };
  const pathsIn = (folder: string): string[] => [...files.keys()].filter((path) => path.startsWith(`${folder}${sep}`));
  return {
    get(path) {
      const bytes = files.get(path);
      if (bytes === undefined) return undefined;
      files.delete(path);
      files.set(path, bytes);
      return bytes;
    },
    has: (path) => files.has(path),
    set(path, bytes) {
      drop(path);
      files.set(path, bytes);
      total += bytes.length;
      for (const oldest of files.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
    namesIn: (folder) => pathsIn(folder).map((path) => path.slice(folder.length + 1)),
    remove(path) {
      drop(path);
      for (const inner of pathsIn(path)) drop(inner);
    },
  };
};

import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '#platform/disk/files.ts';
import type { OperatingSystemUser } from './run-program.ts';

/** Creates the folder with exactly this mode: `mkdir` alone would let a strict umask shut the database's user out. */
export async function createFolder(
  path: string,
  { mode, owner }: { mode: number; owner?: OperatingSystemUser | undefined },
): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, mode);
  if (owner !== undefined) await chown(path, owner.uid, owner.gid);
}

/** Replaces the file as a whole; after a power loss it has either the old text or the new one. */
export async function replaceFile(
  path: string,
  text: string,
  { owner, mode = 0o644 }: { owner?: OperatingSystemUser | undefined; mode?: number } = {},
): Promise<void> {
  const next = `${path}.${randomName()}`;
  // Not over what is there: as root in another's folder, that might be a link.
  await writeFile(next, text, { flush: true, flag: 'wx', mode });
  if (owner !== undefined) await chown(next, owner.uid, owner.gid);
  await rename(next, path);
  await syncFolder(dirname(path));
}

export function randomName(): string {
  return randomBytes(8).toString('hex');
}

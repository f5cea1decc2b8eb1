import { randomBytes, randomUUID } from 'node:crypto';
import { chown, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, unlessMissing } from '#platform/disk/files.ts';
import { writeNewFile } from '#platform/disk/write-new-file.ts';
import { keyBytes } from './cobblestone.ts';
import { type KeyProvider, KeyUnavailable } from './key-provider.ts';
import { unwrapKey, wrapKey } from './wrapping.ts';

/** A line for each version: its number and 32 random bytes in Base64. The highest one wraps new keys. */
type KeyFile = ReadonlyMap<number, Buffer>;

const heading = 'pergamin encryption key v1';
const linePattern = /^([1-9]\d{0,8}) ([A-Za-z0-9+/]{43}=)$/;

/** Undefined when the file is not there. Throws KeyUnavailable for a file that is none of this format. */
export const readKeyFile = async (path: string): Promise<KeyFile | undefined> => {
  const text = await unlessMissing(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  const [first, ...lines] = text.trimEnd().split(/\r?\n/);
  const keys = new Map(
    lines.map((line) => {
      const [, version, key = ''] = linePattern.exec(line) ?? [];
      return [Number(version), Buffer.from(key, 'base64')];
    }),
  );
  if (first !== heading || keys.size === 0 || keys.size < lines.length || [...keys.values()].some(({ length }) => length !== keyBytes))
    throw new KeyUnavailable(`the file ${path} holds no encryption key`);
  return keys;
};

const textOf = (keys: KeyFile): string =>
  `${[heading, ...[...keys].map(([version, key]) => `${version} ${key.toString('base64')}`)].join('\n')}\n`;

const spool = async (path: string, keys: KeyFile): Promise<string> => {
  const spooled = `${path}.${randomUUID()}`;
  const file = await open(spooled, 'wx', 0o600);
  try {
    await file.writeFile(textOf(keys));
    await file.sync();
  } finally {
    await file.close();
  }
  return spooled;
};

/** Never over another file: false when there is one, as of two processes that start at once the second finds the key of the first. */
export const writeNewKeyFile = async (path: string, keys: KeyFile = new Map([[1, randomBytes(keyBytes)]])): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return writeNewFile(path, textOf(keys), { mode: 0o600 });
};

/** Adds a version; those before it stay, as older backups of the database need them. */
export const addKeyVersion = async (path: string): Promise<number> => {
  const keys = await readKeyFile(path);
  if (keys === undefined) throw new KeyUnavailable(`there is no encryption key at ${path}`);
  const version = currentOf(keys) + 1;
  const { uid, gid } = await stat(path);
  const spooled = await spool(path, new Map([...keys, [version, randomBytes(keyBytes)]]));
  // Root rotates the key of a portal that runs as another user.
  if (process.getuid?.() === 0) await chown(spooled, uid, gid);
  await rename(spooled, path);
  await syncFolder(dirname(path));
  return version;
};

const currentOf = (keys: KeyFile): number => Math.max(...keys.keys());

/** Keys in a file of this machine. It is read again when it may have a new version. */
export const createFileKeys = (path: string): KeyProvider => {
  let known: KeyFile | undefined;
  const read = async (): Promise<KeyFile> => {
    const keys = await readKeyFile(path);
    if (keys === undefined) throw new KeyUnavailable(`there is no encryption key at ${path}`);
    return (known = keys);
  };
  return {
    currentVersion: async () => currentOf(await read()),
    async wrap(key, context) {
      const keys = await read();
      const version = currentOf(keys);
      return { version, wrapped: wrapKey(requireVersion(keys, version, path), key, context) };
    },
    async unwrap({ version, wrapped }, context) {
      const keys = known?.has(version) === true ? known : await read();
      const wrapping = requireVersion(keys, version, path);
      try {
        return unwrapKey(wrapping, wrapped, context);
      } catch (error) {
        throw new KeyUnavailable(`the key ${version} of ${path} is not the one that keys of this database were wrapped by`, {
          cause: error,
        });
      }
    },
  };
};

const requireVersion = (keys: KeyFile, version: number, path: string): Buffer => {
  const key = keys.get(version);
  if (key === undefined) throw new KeyUnavailable(`the file ${path} has no key of version ${version}`);
  return key;
};

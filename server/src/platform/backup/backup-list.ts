import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from '#platform/disk/files.ts';

/** Something that an operator can put right, in a sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** As `sha256sum` writes it, so that `sha256sum --check` judges a backup without the product. Written last: without it a backup is not complete. */
const listName = 'files.sha256';
/** HMAC-SHA-256 of the list, in hexadecimal. Whoever can write to the backup can renew the list, and not this without the key. */
const macName = 'files.sha256.hmac';
/** In the folder of keys: the key of that, 32 random bytes in hexadecimal, made for one backup. */
const keyName = 'backup.key';
const macContext = 'pergamin/backup-list/v1\n';
const linePattern = /^([0-9a-f]{64}) {2}([^\0\n]+)$/;
const hexPattern = /^([0-9a-f]{64})\n$/;

/** SHA-256 by path. */
export type BackupFiles = ReadonlyMap<string, string>;

/** Those of the list that are not on it themselves. */
export const isListItself = (path: string): boolean => path === listName || path === macName;

const macOf = (key: Buffer, list: Buffer): Buffer => createHmac('sha256', key).update(macContext).update(list).digest();

/** Makes the key that authenticates one backup, in the folder of its keys. */
export const makeBackupKey = async (keysFolder: string): Promise<Buffer> => {
  const key = randomBytes(32);
  await writeFile(join(keysFolder, keyName), `${key.toString('hex')}\n`, { flag: 'wx', mode: 0o400, flush: true });
  return key;
};

/** Completes a folder of a backup, with a MAC of its list where there is a key. */
export const writeList = async (folder: string, files: BackupFiles, key?: Buffer): Promise<void> => {
  const list = Buffer.from([...files].map(([path, sha256]) => `${sha256}  ${path}\n`).join(''));
  const options = { flag: 'wx', mode: 0o400, flush: true } as const;
  if (key !== undefined) await writeFile(join(folder, macName), `${macOf(key, list).toString('hex')}\n`, options);
  await writeFile(join(folder, listName), list, options);
};

/** Of a complete folder, whoever wrote it. @throws BackupError */
export const readList = async (folder: string): Promise<BackupFiles> => filesOf(folder, await readListText(folder));

/**
 * The list of a backup that the key of its own keys has authenticated. `unauthenticated`: that of a backup of before, which has no MAC and no key; whoever could write
 * to the folder may have written it.
 * @throws BackupError
 */
export const authenticateList = async (
  folder: string,
  { keys, unauthenticated = false }: { readonly keys?: string | undefined; readonly unauthenticated?: boolean | undefined },
): Promise<BackupFiles> => {
  const list = await readListText(folder);
  const mac = await readHex(join(folder, macName));
  const key = keys === undefined ? undefined : await readHex(join(keys, keyName));
  if (key === undefined) {
    if (mac === undefined && unauthenticated) return filesOf(folder, list);
    throw new BackupError(
      mac === undefined
        ? `${folder} is not authenticated: it was written before backups were, or its ${macName} was removed. Anybody who could write to it may have put programs into it. --unauthenticated takes it all the same`
        : `${folder} can be authenticated only with the folder of its keys, which has a ${keyName}: name it by --keys`,
    );
  }
  // With a key in the folder of keys there was a MAC: an attacker who removes it must not get further than one who cannot write it.
  if (mac === undefined) throw new BackupError(`${folder} has no ${macName}, and its keys say that there was one: the backup was changed`);
  if (!timingSafeEqual(mac, macOf(key, list)))
    throw new BackupError(
      `${folder} is not what was written with these keys: its list of files was changed, or the keys are those of another backup`,
    );
  return filesOf(folder, list);
};

const readListText = (folder: string): Promise<Buffer> =>
  readFile(join(folder, listName)).catch((error: unknown) => {
    throw new BackupError(`${folder} holds no complete backup: its ${listName} cannot be read`, { cause: error });
  });

const readHex = async (path: string): Promise<Buffer | undefined> => {
  const text = await unlessMissing(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  const [, hex] = hexPattern.exec(text) ?? [];
  if (hex === undefined) throw new BackupError(`${path} is damaged`);
  return Buffer.from(hex, 'hex');
};

const filesOf = (folder: string, list: Buffer): BackupFiles => {
  const files = new Map<string, string>();
  for (const line of list.toString('utf8').split('\n')) {
    if (line === '') continue;
    const [, sha256, path] = linePattern.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || !isInside(path) || isListItself(path) || files.has(path))
      throw new BackupError(`${listName} of ${folder} is damaged`);
    files.set(path, sha256);
  }
  return files;
};

/** A file below the folder, named in the one way that there is. */
const isInside = (path: string): boolean => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

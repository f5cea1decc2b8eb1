import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { judgeLedgerKey } from '#features/ledger/ledger.door.ts';
import { findServiceUser, isRoot } from '#platform/database/embedded-postgres/operating-system-user.ts';
import type { Db } from '#platform/database/schema.ts';
import { unlessMissing } from '#platform/disk/files.ts';
import { createReadSpace, missingBytes } from '#platform/disk/free-space.ts';
import { readKeyFile } from '#platform/encryption/key-file.ts';
import { judgeEncryption } from '#platform/encryption/open-encryption.ts';
import { judgeStoreOf } from '#platform/objects/recognised-store.ts';
import { type Settings, SettingsError } from '#platform/settings/settings.ts';
import { type Outcome, reasonOf, type Try } from './outcome.ts';

const gigabyte = 1_000_000_000;
/** Below this part of the reserve `/api/ready` answers 503. */
const readyShareOfReserve = 0.5;

/** Free space, and whether the user that the portal runs as may write. */
export const tryDisk =
  ({ dataDir: written, diskReservePercent }: Pick<Settings, 'dataDir' | 'diskReservePercent'>): Try =>
  async () => {
    const name = 'data disk';
    const dataDir = resolve(written);
    const folder = await findExisting(dataDir);
    const space = await createReadSpace(folder)();
    const free = `${(space.freeBytes / gigabyte).toFixed(1)} of ${(space.totalBytes / gigabyte).toFixed(1)} GB are free`;
    const { who, mayWrite } = await askWhoWrites(dataDir, folder);
    const place = folder === dataDir ? dataDir : `${folder} (${dataDir} is not there yet)`;
    if (!mayWrite) return { name, state: 'wrong', text: `DATA_DIR: ${who} may not write in ${place}` };
    if (missingBytes(space, diskReservePercent * readyShareOfReserve) > 0)
      return { name, state: 'wrong', text: `DATA_DIR: ${free}, so little that /api/ready says unavailable` };
    return missingBytes(space, diskReservePercent) > 0
      ? { name, state: 'warning', text: `DATA_DIR: ${free}, less than DISK_RESERVE_PERCENT` }
      : { name, state: 'ok', text: `DATA_DIR: ${free}, and ${who} may write in ${place}` };
  };

const findExisting = async (path: string): Promise<string> =>
  (await unlessMissing(stat(path))) === undefined ? findExisting(dirname(path)) : path;

/** Root asks as the user that the portal goes on as; where that one has to be made, or DATA_DIR is given to it, root may do so. */
const askWhoWrites = async (dataDir: string, folder: string): Promise<{ who: string; mayWrite: boolean }> => {
  const user = isRoot() ? await findServiceUser(dataDir) : undefined;
  if (user === undefined || (await stat(folder)).uid === 0) {
    const mayWrite = await access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    return { who: isRoot() ? 'root' : 'this user', mayWrite };
  }
  const { uid, gid } = user;
  const child = spawn('/bin/sh', ['-c', 'test -w "$1" && test -x "$1"', 'sh', folder], { uid, gid, cwd: '/', stdio: 'ignore' });
  await once(child, 'exit');
  return { who: user.name, mayWrite: child.exitCode === 0 };
};

const orWrong = async (name: string, judge: () => Promise<string>): Promise<Outcome> => {
  try {
    return { name, state: 'ok', text: await judge() };
  } catch (error) {
    return { name, state: 'wrong', text: error instanceof SettingsError ? error.message : reasonOf(error) };
  }
};

const notCompared = 'not compared with the database, which could not be asked';

/** The key of all documents. `db` is undefined where the database could not be asked, or is empty. */
export const tryEncryptionKey =
  (settings: Settings, db: Db | undefined): Try =>
  async () => {
    const name = 'encryption key';
    const { encryptionKeyFile: path } = settings;
    const setting = `ENCRYPTION_KEY_FILE: ${path}`;
    let opened = 0;
    const judged = await orWrong(name, async () => {
      opened = await judgeEncryption({ db, settings });
      return `${setting} opens keys of this database, one of each of ${opened} versions`;
    });
    if (judged.state === 'wrong' || opened > 0) return judged;
    const without = db === undefined ? notCompared : 'no document needs one yet';
    const isThere = (await readKeyFile(path)) !== undefined;
    return { name, state: 'not tried', text: `${setting} ${isThere ? 'is a key' : 'is not there'}; ${without}` };
  };

const fits = {
  fits: ['ok', 'is the key of the ledger'],
  new: ['not tried', 'is not there yet; the first start makes it'],
  unused: ['ok', 'is a key; there is no ledger yet'],
  missing: ['wrong', 'is not there, and the ledger was signed by it: restore it from its backup'],
  another: ['wrong', 'is another key than that of the ledger: restore the right one from its backup'],
  unreadable: ['wrong', 'cannot be read by this user, or holds no key'],
} as const satisfies Record<string, readonly [Outcome['state'], string]>;

export const tryLedgerKey =
  ({ ledgerKeyFile: path }: Pick<Settings, 'ledgerKeyFile'>, db: Db | undefined): Try =>
  async () => {
    const name = 'ledger key';
    if (db === undefined) return { name, state: 'not tried', text: `LEDGER_KEY_FILE: ${path} was ${notCompared}` };
    const [state, text] = fits[(await judgeLedgerKey(db, path)).fit];
    return { name, state, text: `LEDGER_KEY_FILE: ${path} ${text}` };
  };

/** Where documents are: reached, and those of this database. */
export const tryObjects =
  (settings: Settings, db: Db | undefined): Try =>
  async (signal) => {
    const name = 'objects';
    const { bucket } = settings;
    let reached = 'DATA_DIR/objects';
    if (bucket !== undefined) {
      try {
        const { tryBucket } = await import('#platform/objects/try-bucket.ts');
        const { name: place, isEmpty } = await tryBucket(bucket, signal);
        reached = `${place} answers${isEmpty ? ' and is empty' : ''}`;
      } catch (error) {
        return { name, state: 'wrong', text: `OBJECTS_URL: ${reasonOf(error)}` };
      }
    }
    if (db === undefined) {
      const text = `${reached}; ${notCompared}`;
      return { name, state: bucket === undefined ? 'not tried' : 'ok', text };
    }
    return orWrong(name, async () => {
      await judgeStoreOf({ db, settings });
      return `${reached}: the objects of this database; whether they are locked was not tried`;
    });
  };

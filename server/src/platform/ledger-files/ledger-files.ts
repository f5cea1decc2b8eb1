import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { joinEntries, splitEntries, type TileName, tilePath, tileWidth } from '@pergamin/ledger';
import { hasCode, listFolder, syncFolder, unlessMissing } from '#platform/disk/files.ts';
import { PortalError } from '#platform/http/errors.ts';
import { listTiles, reachesBeyond, setTilesAside } from './tiles-on-disk.ts';

export interface StoredTile extends TileName {
  readonly bytes: Uint8Array;
}

/** Tiles and bundles of one log, and its latest signed checkpoint. Throws BC_ERROR when they cannot be read or written. */
export interface LedgerFiles {
  /** Of a partial tile that was completed since: its part of the complete one. Undefined when it is not there. */
  read(name: TileName): Promise<Uint8Array | undefined>;
  /** They survive a power cut when this resolves. The same tile may be written again. */
  write(tiles: readonly StoredTile[]): Promise<void>;
  readCheckpoint(): Promise<string | undefined>;
  writeCheckpoint(note: string): Promise<void>;
  /** A checkpoint with the log's signature that a witness has shown, and that the log does not know. Kept until an operator removes it. */
  readEvidence(): Promise<string | undefined>;
  writeEvidence(note: string): Promise<void>;
  /** The names of all tiles and bundles, whatever is in them. */
  listTiles(): Promise<readonly TileName[]>;
  /** Whether there is a tile right behind those of a tree of this size. */
  reachesBeyond(size: number): Promise<boolean>;
  /** Moves the tiles that only a larger tree has into this folder beside them. Says how many. */
  setAside(size: number, into: string): Promise<number>;
  /** Removes what killed processes left of files that they had not finished before this moment. Says how many. */
  sweepSpool(before: Date): Promise<number>;
}

const hashLength = 32;
const checkpointName = 'checkpoint';
const evidenceName = 'evidence';
const spoolName = 'spool';
/** As `place` names them. */
const spooledPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** As files below `root`, by the paths of C2SP tlog-tiles: each is written beside, flushed and renamed. */
export const createLedgerFiles = (root: string): LedgerFiles => {
  const writer = createWriter(root);
  return {
    read: (name) =>
      orLedgerError(async () => {
        const partial = await unlessMissing(readFile(join(root, tilePath(name))));
        if (partial !== undefined || name.width === tileWidth) return partial;
        const whole = await unlessMissing(readFile(join(root, tilePath({ ...name, width: tileWidth }))));
        return whole === undefined ? undefined : beginningOf(whole, name);
      }),
    write: (tiles) =>
      orLedgerError(async () => {
        await writer.writeAll(new Map(tiles.map((tile) => [tilePath(tile), tile.bytes])));
        const whole = tiles.filter(({ width }) => width === tileWidth);
        await Promise.all(whole.map((tile) => rm(join(root, `${tilePath(tile)}.p`), { recursive: true, force: true })));
      }),
    readCheckpoint: () => orLedgerError(() => unlessMissing(readFile(join(root, checkpointName), 'utf8'))),
    writeCheckpoint: (note) => orLedgerError(() => writer.writeAll(new Map([[checkpointName, Buffer.from(note)]]))),
    readEvidence: () => orLedgerError(() => unlessMissing(readFile(join(root, evidenceName), 'utf8'))),
    writeEvidence: (note) => orLedgerError(() => writer.writeAll(new Map([[evidenceName, Buffer.from(note)]]))),
    listTiles: () => orLedgerError(() => listTiles(root)),
    reachesBeyond: (size) => orLedgerError(() => reachesBeyond(root, size)),
    setAside: (size, into) => orLedgerError(() => setTilesAside(root, { size, into })),
    sweepSpool: (before) => orLedgerError(() => sweepSpool(join(root, spoolName), before)),
  };
};

/** Whatever else somebody has put there stays. */
const sweepSpool = async (spool: string, before: Date): Promise<number> => {
  let removed = 0;
  for (const name of await listFolder(spool)) {
    const path = join(spool, name);
    const found = spooledPattern.test(name) ? await unlessMissing(lstat(path)) : undefined;
    if (found === undefined || !found.isFile() || found.mtime >= before) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
};

const beginningOf = (whole: Uint8Array, { level, width }: TileName): Uint8Array =>
  level === 'entries' ? joinEntries(splitEntries(whole, tileWidth).slice(0, width)) : whole.subarray(0, width * hashLength);

const createWriter = (root: string) => {
  const spool = join(root, spoolName);
  /** Folders whose own names this process has flushed. */
  const lasting = new Set<string>();

  /** Makes a folder whose name survives a power cut. */
  const makeFolder = async (folder: string): Promise<void> => {
    if (lasting.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let path = folder; path.startsWith(root) && !lasting.has(path); path = dirname(path)) {
      await syncFolder(dirname(path));
      lasting.add(path);
    }
  };

  const place = async (path: string, bytes: Uint8Array): Promise<void> => {
    const spooled = join(spool, randomUUID());
    try {
      const file = await open(spooled, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(spooled, path);
    } catch (error) {
      await rm(spooled, { force: true }).catch(() => undefined);
      throw error;
    }
  };

  const placeAll = async (files: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    const paths = [...files].map(([name, bytes]) => ({ path: join(root, name), bytes }));
    const folders = new Set(paths.map(({ path }) => dirname(path)));
    for (const folder of [spool, ...folders]) await makeFolder(folder);
    try {
      await Promise.all(paths.map(({ path, bytes }) => place(path, bytes)));
    } catch (error) {
      lasting.clear();
      throw error;
    }
    await Promise.all([...folders].map(syncFolder));
  };

  return {
    async writeAll(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
      const hasMade = lasting.size > 0;
      try {
        await placeAll(files);
      } catch (error) {
        // A folder that was made may have been removed since, as with a restored backup.
        if (!hasMade || !hasCode(error, 'ENOENT')) throw error;
        await placeAll(files);
      }
    },
  };
};

const orLedgerError = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    throw new PortalError('BC_ERROR', { cause: error });
  }
};

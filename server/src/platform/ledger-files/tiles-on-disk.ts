import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseTilePath, type TileName, tilePath, tileWidth } from '@pergamin/ledger';
import { listFolder, syncFolder, unlessMissing } from '#platform/disk/files.ts';

/** The names of all tiles and bundles of a log's folder, whatever is in them. A log of a hundred million entries takes about a second. */
export const listTiles = async (root: string): Promise<readonly TileName[]> => {
  const paths = (await unlessMissing(readdir(join(root, 'tile'), { recursive: true }))) ?? [];
  return paths.flatMap((path) => parseTilePath(`tile/${path.replaceAll('\\', '/')}`) ?? []);
};

/** The least tree that has this tile. */
const sizeWith = ({ level, index, width }: TileName): number =>
  (index * tileWidth + width) * tileWidth ** (level === 'entries' ? 0 : level);

/** The least tree that has all of them. */
export const sizeOfTiles = (tiles: readonly TileName[]): number => tiles.reduce((size, tile) => Math.max(size, sizeWith(tile)), 0);

/** Whether there is a tile right behind those of a tree of this size; of the rest of the folder nothing is read. */
export const reachesBeyond = async (root: string, size: number): Promise<boolean> => {
  const index = Math.floor(size / tileWidth);
  for (const level of [0, 'entries'] as const) {
    const whole = join(root, tilePath({ level, index, width: tileWidth }));
    if ((await unlessMissing(lstat(whole))) !== undefined) return true;
    const widths = await listFolder(`${whole}.p`);
    if (widths.some((width) => Number(width) > size % tileWidth)) return true;
  }
  return false;
};

/** Moves the tiles that only a tree of more than `size` entries has into a folder beside them, with their paths. Says how many. */
export const setTilesAside = async (root: string, { size, into }: { readonly size: number; readonly into: string }): Promise<number> => {
  const beyond = (await listTiles(root)).filter((tile) => sizeWith(tile) > size);
  for (const tile of beyond) {
    const target = join(root, into, tilePath(tile));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(join(root, tilePath(tile)), target);
  }
  if (beyond.length > 0) await syncFolder(root);
  return beyond.length;
};

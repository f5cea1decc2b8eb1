import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { RefusedError, UsageError } from './errors.ts';
import { comparedName } from './file-names.ts';
import { openManifestFiles } from './manifest-files.ts';
import { readManifest } from './manifest-lines.ts';
import type { TableEncoding } from '#tables/table-encoding.ts';
import { stateOfFile } from '#tables/table-rows.ts';

/** Of a manifest in the folder: an archive of its name beside it, else the folder. */
export const filesBeside = async (manifest: string): Promise<string> => {
  const folder = dirname(manifest);
  const archive = `${basename(manifest, extname(manifest))}.zip`;
  const names = (await readdir(folder)).filter((name) => comparedName(name).replace(/\.zip$/i, '.zip') === comparedName(archive));
  const found = names.includes(archive) ? archive : names[0];
  return found === undefined ? folder : join(folder, found);
};

/**
 * Of the files that a manifest in a folder names, or of the archive beside it: another text when one of them changes, comes or goes. Lines that cannot
 * be read name no file.
 */
export const stateOfFiles = async (manifest: string, encoding: TableEncoding): Promise<string> => {
  const place = await filesBeside(manifest);
  if (place !== dirname(manifest)) return (await stateOfFile(place)) ?? '';
  const hash = createHash('sha256');
  try {
    await using files = await openManifestFiles(place);
    for await (const found of await readManifest(manifest, { types: new Map(), encoding }))
      if ('record' in found) hash.update(`${await files.stateOf(found.record.file)}\n`);
  } catch (error) {
    if (error instanceof UsageError || error instanceof RefusedError) return error.message;
    throw error;
  }
  return hash.digest('hex');
};

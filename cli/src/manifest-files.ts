import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob, type Stats } from 'node:fs';
import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '@pergamin/contract';
import { openPromise } from 'yauzl';
import { isOfSystem, RefusedError, UsageError } from './errors.ts';
import { comparedName, createMissingSentence } from './file-names.ts';
import { createFolderNames } from './folder-names.ts';
import { onOneLine } from './one-line.ts';
import { stateOfFile } from '#tables/table-rows.ts';
import { ArchivedFiles } from './zip-names.ts';

/** A file of a manifest cannot be published; `message` says why, without a path of this machine. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Read while it is sent. What was unpacked for it is removed when it is disposed of. */
export interface OpenedFile extends AsyncDisposable {
  readonly blob: Blob;
}

/** The PDFs of a manifest, by the paths that it gives them. Each throws FileRefused, and RefusedError when this machine has no room to unpack. */
export interface ManifestFiles extends AsyncDisposable {
  hash(path: string): Promise<{ readonly sha256: string; readonly size: number }>;
  open(path: string): Promise<OpenedFile>;
  /** Its size and the moment of its last change, or those of the archive; the same text for every file that is not there. */
  stateOf(path: string): Promise<string>;
}

const missingState = 'missing';

const pdf = { type: 'application/pdf' };
const missing = (sentence: string): FileRefused => new FileRefused('DOCUMENT_UPLOAD_ERROR', sentence);

const hashOf = async (bytes: Readable) => {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
    if (head.length < 1_024) head = Buffer.concat([head, chunk.subarray(0, 1_024)]);
  }
  if (!head.includes('%PDF-')) throw new FileRefused('INVALID_DOC_TYPE', 'not a PDF');
  return { sha256: hash.digest('hex'), size };
};

const refusedBySystem = (error: unknown): unknown =>
  isOfSystem(error) ? new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the file cannot be read', { cause: error }) : error;

const refuseTwo = (where: string, names: readonly string[]): never => {
  const listed = names.map((name) => `'${onOneLine(name)}'`).join(', ');
  throw new FileRefused('DOCUMENT_UPLOAD_ERROR', `several files of the ${where} fit, and none is of exactly this name: ${listed}`);
};

/** Undefined when there is nothing. Throws FileRefused when a symbolic link is on the way: it could lead to any file that this account can read. */
const lookBelow = async (root: string, path: string): Promise<string | undefined> => {
  let place = root;
  let found: Stats | undefined;
  for (const part of relative(root, resolve(root, path)).split(sep)) {
    place = join(place, part);
    found = await lstat(place).catch(() => undefined);
    if (found?.isSymbolicLink() === true) throw new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the path goes over a symbolic link');
  }
  return found?.isFile() === true ? place : undefined;
};

/** A regular file below the folder, by a relative path without `..` and without a symbolic link in it. */
const openFolder = async (folder: string): Promise<ManifestFiles> => {
  const root = await realpath(folder);
  const names = createFolderNames();
  const missingSentence = createMissingSentence();
  const leaves = (path: string): boolean => path.startsWith('/') || relative(root, resolve(root, path)).split(sep).includes('..');
  const find = async (path: string): Promise<string> => {
    if (leaves(path) || leaves(comparedName(path)))
      throw new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the path leaves the folder of the files');
    if (path.includes('\0')) throw missing('there is no such file');
    const exact = await lookBelow(root, path);
    if (exact !== undefined) return exact;
    const others = await names.find(root, path);
    if (others.length > 1) refuseTwo('folder', others);
    const other = others[0] === undefined ? undefined : await lookBelow(root, others[0]);
    if (other === undefined) throw missing(await missingSentence(path, () => names.namesNear(root, path)));
    return other;
  };
  return {
    async hash(path) {
      const whole = await find(path);
      try {
        return await hashOf(createReadStream(whole));
      } catch (error) {
        throw refusedBySystem(error);
      }
    },
    open: async (path) => ({ blob: await openAsBlob(await find(path), pdf), async [Symbol.asyncDispose]() {} }),
    async stateOf(path) {
      try {
        return (await stateOfFile(await find(path))) ?? missingState;
      } catch (error) {
        if (error instanceof FileRefused) return missingState;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {},
  };
};

const listFiles = async (archive: string) => {
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false });
  const files = new ArchivedFiles();
  for await (const entry of zip.eachEntry()) files.add(entry);
  return { zip, files };
};

/** `maxBytes`: of one file, unpacked. Nothing is unpacked under a name of the archive. */
const openArchive = async (archive: string, maxBytes: number): Promise<ManifestFiles> => {
  const { zip, files } = await listFiles(archive).catch((error: unknown) => {
    throw new UsageError(`${archive} is not a readable ZIP archive`, { cause: error });
  });
  const missingSentence = createMissingSentence();
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-publish-'));
  const open = async (path: string): Promise<Readable> => {
    const fitting = files.find(path);
    const [fit] = fitting;
    if (fit === undefined) throw missing(await missingSentence(path, () => files.names()));
    const { entry, name } = fit;
    if (fitting.length > 1 && fitting.every((other) => other.name === name))
      throw new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the archive has two files of this name');
    if (fitting.length > 1)
      refuseTwo(
        'archive',
        fitting.map((other) => other.name),
      );
    if (entry.uncompressedSize > maxBytes) throw new FileRefused('DOCUMENT_MAX_SIZE_ERROR', `larger than ${maxBytes} bytes`);
    return zip.openReadStreamPromise(entry);
  };
  const unpack = async <T>(path: string, read: (bytes: Readable) => Promise<T>): Promise<T> => {
    try {
      return await read(await open(path));
    } catch (error) {
      if (error instanceof FileRefused) throw error;
      // A full disk is no fault of this file, and the next one would fail alike.
      if (isOfSystem(error)) throw new RefusedError(`the archive cannot be unpacked on this machine: ${error.message}`, { cause: error });
      throw new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the archive is damaged at this file', { cause: error });
    }
  };
  return {
    hash: (path) => unpack(path, hashOf),
    stateOf: async () => (await stateOfFile(archive)) ?? missingState,
    async open(path) {
      const copy = join(folder, randomUUID());
      await using opening = new AsyncDisposableStack();
      opening.defer(() => rm(copy, { force: true }));
      await unpack(path, (bytes) => pipeline(bytes, createWriteStream(copy, { flags: 'wx', mode: 0o600 })));
      const blob = await openAsBlob(copy, pdf);
      const opened = opening.move();
      return { blob, [Symbol.asyncDispose]: () => opened.disposeAsync() };
    },
    async [Symbol.asyncDispose]() {
      zip.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** An archive within an archive is a name like any other; one file that is larger than this would fill the disk of this machine. */
const maxUnpackedBytes = 1024 ** 3;

/** Files of a folder, or of a ZIP archive by its ending. Throws UsageError when it is neither. */
export const openManifestFiles = async (path: string, { maxBytes = maxUnpackedBytes } = {}): Promise<ManifestFiles> => {
  if (extname(path).toLowerCase() === '.zip') return openArchive(path, maxBytes);
  try {
    return await openFolder(path);
  } catch (error) {
    throw new UsageError(`${path} is not a readable folder`, { cause: error });
  }
};

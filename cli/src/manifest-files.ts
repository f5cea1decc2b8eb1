import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '@pergamin/contract';
import { type Entry, openPromise } from 'yauzl';
import { RefusedError, UsageError } from './errors.ts';

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
}

const pdf = { type: 'application/pdf' };
const missing = (cause?: unknown): FileRefused => new FileRefused('DOCUMENT_UPLOAD_ERROR', 'there is no such file', { cause });

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

/** The system refuses: no room, no right, a broken disk. */
const isOfSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

const refusedBySystem = (error: unknown): unknown =>
  isOfSystem(error) ? new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the file cannot be read', { cause: error }) : error;

/** A regular file below the folder, by a relative path without `..` and without a symbolic link in it. */
const openFolder = async (folder: string): Promise<ManifestFiles> => {
  const root = await realpath(folder);
  const find = async (path: string): Promise<string> => {
    if (path.includes('\0') || path.includes('\\')) throw missing();
    const whole = resolve(root, path);
    if (relative(root, whole).split(sep).includes('..') || path.startsWith('/'))
      throw new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the path leaves the folder of the files');
    try {
      // A link could lead to any file that this account can read.
      if ((await realpath(whole)) !== whole) throw new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the path goes over a symbolic link');
      if (!(await lstat(whole)).isFile()) throw missing();
    } catch (error) {
      throw error instanceof FileRefused ? error : missing(error);
    }
    return whole;
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
    async [Symbol.asyncDispose]() {},
  };
};

const listEntries = async (archive: string) => {
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false });
  const entries = new Map<string, Entry>();
  const twice = new Set<string>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) twice.add(entry.fileName);
    entries.set(entry.fileName, entry);
  }
  return { zip, entries, twice };
};

/** `maxBytes`: of one file, unpacked. Nothing is unpacked under a name of the archive. */
const openArchive = async (archive: string, maxBytes: number): Promise<ManifestFiles> => {
  const { zip, entries, twice } = await listEntries(archive).catch((error: unknown) => {
    throw new UsageError(`${archive} is not a readable ZIP archive`, { cause: error });
  });
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-publish-'));
  const open = async (path: string): Promise<Readable> => {
    const entry = entries.get(path);
    if (entry === undefined || path.endsWith('/')) throw missing();
    if (twice.has(path)) throw new FileRefused('DOCUMENT_UPLOAD_ERROR', 'the archive has two files of this name');
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

/** Files of a folder, or of a ZIP archive by its ending. Throws UsageError when it is neither. */
export const openManifestFiles = async (path: string, { maxBytes }: { maxBytes: number }): Promise<ManifestFiles> => {
  if (extname(path).toLowerCase() === '.zip') return openArchive(path, maxBytes);
  try {
    return await openFolder(path);
  } catch (error) {
    throw new UsageError(`${path} is not a readable folder`, { cause: error });
  }
};

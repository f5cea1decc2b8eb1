import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadSpace } from '#platform/disk/free-space.ts';
import { isSealed, type Sealing } from '#platform/encryption/sealed-bytes.ts';
import { createDiskUsage, type RenditionsUsage } from './disk-usage.ts';
import type { Evicted } from './eviction.ts';
import { createRenditionFiles, setUsedAt } from './rendition-files.ts';

export type { RenditionsUsage } from './disk-usage.ts';
export type { Evicted } from './eviction.ts';

/** Part of every path. Raise it when pages are drawn differently: all of them are then drawn again. */
export const renditionFormat = 3;

/** The same for texts. */
export const textFormat = 3;

/** The page images of one object at one width. */
export interface RenditionSet {
  /** Of the object, lower-case hexadecimal. */
  readonly sha256: string;
  /** Pixels. */
  readonly width: number;
}

export interface RenditionKey extends RenditionSet {
  /** Counted from 1. */
  readonly page: number;
}

/** Texts have no width. */
export type TextKey = Omit<RenditionKey, 'width'>;

export interface Rendition {
  readonly bytes: Uint8Array;
  readonly type: 'image/png' | 'image/jpeg';
}

/** An image in a file of its own. */
export interface SpooledImage {
  readonly imagePath: string;
  readonly size: number;
}

/**
 * Page images as files. All of it may be deleted at any time: what is missing is drawn again. When the reserve of the disk is reached, requested
 * images stay in memory and those drawn ahead of time are dropped. Every call throws RangeError for a key that is not a SHA-256 and whole
 * numbers, so that no key leads out of the folder.
 */
export interface Renditions {
  has(key: RenditionKey): Promise<boolean>;
  /** The stored pages, in no order. */
  listPages(set: RenditionSet): Promise<Set<number>>;
  /** Undefined when there is none, or a power cut left only a part of it. */
  open(key: RenditionKey): Promise<Rendition | undefined>;
  /**
   * Moves the file, from a path that `makeWorkPath` gave or one beside it. Atomic: readers see the whole image or none. An image drawn ahead of
   * time counts as used a day ago until it is opened: eviction takes it before images in use.
   */
  put(key: RenditionKey, image: SpooledImage, made?: { aheadOfTime: boolean }): Promise<void>;
  /** The stored text of a page. Undefined when there is none, or a power cut left only a part of it. */
  openText(key: TextKey): Promise<unknown>;
  putText(key: TextKey, text: object): Promise<void>;
  /** Removes all widths, pages and texts of one object. */
  remove(sha256: string): Promise<void>;
  /** Evicts the least recently used sets while all of them take more than the limit. */
  sweep(): Promise<Evicted>;
  /** True when this process has put much since the last sweep, or the disk has less free than its reserve. */
  isSweepDue(): boolean;
  usage(): Promise<RenditionsUsage>;
  /** Makes the folders, closed to other users of the machine. Called at start; otherwise the first page does it. */
  prepare(): Promise<void>;
  /** Path of a new file on the same disk. The caller deletes it. */
  makeWorkPath(): Promise<string>;
}

interface Options {
  dir: string;
  /** Left out: as much as the disk holds. */
  maxBytes?: number;
  /** Part of the disk that is left free. */
  reserve?: { readonly percent: number; readonly readSpace: ReadSpace };
  /** Encrypts what is kept. Left out: it is kept as it is. */
  sealing?: Sealing | undefined;
  /** Most that stays in memory while the disk has no room. */
  maxOverflowBytes?: number;
}

/** `dir` may be shared by several processes, and is created by `prepare` or the first page. */
export function createRenditions({
  dir,
  maxBytes = Infinity,
  reserve,
  maxOverflowBytes = defaultOverflowBytes,
  sealing,
}: Options): Renditions {
  const usage = createDiskUsage({ dir, maxBytes, reserve });
  const files = createRenditionFiles({ dir, maxOverflowBytes, usage });
  const parts = { files, usage, paths: createPaths(dir), sealing };
  return {
    ...createImages(parts),
    ...createTexts(parts),
    remove: (sha256) => files.remove(parts.paths.folderOf(sha256)),
    async sweep() {
      await files.clearWork();
      return usage.sweep(files.makeWorkPath);
    },
    usage: usage.usage,
    isSweepDue: usage.isSweepDue,
    prepare: files.prepare,
    makeWorkPath: files.makeWorkPath,
  };
}

interface Parts {
  readonly files: ReturnType<typeof createRenditionFiles>;
  readonly usage: ReturnType<typeof createDiskUsage>;
  readonly paths: ReturnType<typeof createPaths>;
  readonly sealing: Sealing | undefined;
}

const createImages = ({
  files,
  usage,
  paths: { setOf, pathOf },
  sealing,
}: Parts): Pick<Renditions, 'has' | 'listPages' | 'open' | 'put'> => {
  const { seal, unseal } = createSealedFiles(sealing);

  const keep = async (key: RenditionKey, { imagePath, size }: SpooledImage): Promise<void> => {
    if (sealing === undefined) return files.putInPlace(pathOf(key), { path: imagePath, size });
    await putBytes(files, pathOf(key), seal(await readFile(imagePath), contextOf(key)));
    await rm(imagePath, { force: true });
  };

  return {
    async has(key) {
      const edges = await files.readEdges(pathOf(key), edgeBytes);
      if (edges === undefined) return false;
      return isSealed(edges.head, edges.tail) ? sealing !== undefined : typeOf(edges.head, edges.tail) !== undefined;
    },
    listPages: async (set) => new Set((await files.namesIn(setOf(set))).map(Number)),
    async open(key) {
      const kept = await files.read(pathOf(key));
      if (kept === undefined) return undefined;
      const bytes = unseal(kept, contextOf(key));
      const type = bytes === undefined ? undefined : typeOf(bytes.subarray(0, edgeBytes), bytes.subarray(-edgeBytes));
      // A torn file would count as drawn.
      if (type === undefined) await rm(pathOf(key), { force: true });
      if (bytes === undefined || type === undefined) return undefined;
      await files.noteUse(setOf(key));
      return { bytes, type };
    },
    async put(key, image, { aheadOfTime } = { aheadOfTime: false }) {
      // Moving a file takes no more space, encrypting it does until the first one is removed.
      if (await usage.isTooFull(sealing === undefined ? 0 : image.size)) {
        const path = pathOf(key);
        if (!aheadOfTime) files.keepInMemory(path, seal(await readFile(image.imagePath), contextOf(key)));
        await rm(image.imagePath, { force: true });
        return;
      }
      await keep(key, image);
      if (aheadOfTime) await setUsedAt(setOf(key), Date.now() - dayMs);
    },
  };
};

const createTexts = ({ files, usage, paths: { textPathOf }, sealing }: Parts): Pick<Renditions, 'openText' | 'putText'> => {
  const { seal, unseal } = createSealedFiles(sealing);
  return {
    async openText(key) {
      const kept = await files.read(textPathOf(key));
      const text = kept === undefined ? undefined : unseal(kept, contextOfText(key));
      if (text !== undefined) await files.noteUse(dirname(textPathOf(key)));
      return text === undefined ? undefined : unlessTorn(text.toString());
    },
    async putText(key, text) {
      const content = seal(Buffer.from(JSON.stringify(text)), contextOfText(key));
      if (await usage.isTooFull(content.length)) return files.keepInMemory(textPathOf(key), content);
      await putBytes(files, textPathOf(key), content);
    },
  };
};

/** As a file of its own, which is moved. */
const putBytes = async (files: Parts['files'], path: string, bytes: Buffer): Promise<void> => {
  const spooled = await files.makeWorkPath();
  try {
    await writeFile(spooled, bytes, { mode: 0o600 });
    await files.putInPlace(path, { path: spooled, size: bytes.length });
  } finally {
    await rm(spooled, { force: true });
  }
};

const defaultOverflowBytes = 64 * 1024 * 1024;
const dayMs = 86_400_000;

const contextOf = ({ sha256, width, page }: RenditionKey): string => `pergamin/rendition/v1\0${sha256}:${width}:${page}`;
const contextOfText = ({ sha256, page }: TextKey): string => `pergamin/rendition/v1\0${sha256}:text:${page}`;

/** What was kept before there was a key is read as it is. */
const createSealedFiles = (sealing: Sealing | undefined) => ({
  seal: (bytes: Buffer, context: string): Buffer => sealing?.seal(bytes, context) ?? bytes,
  unseal: (kept: Buffer, context: string): Buffer | undefined =>
    isSealed(kept.subarray(0, edgeBytes), kept.subarray(-edgeBytes)) ? sealing?.open(kept, context) : kept,
});

const createPaths = (dir: string) => {
  const folderOf = (sha256: string): string => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError('not a SHA-256 in lower-case hexadecimal');
    return join(dir, `v${renditionFormat}`, sha256.slice(0, 2), sha256);
  };
  const setOf = ({ sha256, width }: RenditionSet): string => join(folderOf(sha256), String(asCount(width)));
  return {
    folderOf,
    setOf,
    pathOf: (key: RenditionKey): string => join(setOf(key), String(asCount(key.page))),
    textPathOf: ({ sha256, page }: TextKey): string => join(folderOf(sha256), `text-${textFormat}`, String(asCount(page))),
  };
};

/** Longer than the longest mark at the begin or end of an image. */
const edgeBytes = 8;
const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Name and checksum of the last chunk. */
const pngTail = Buffer.from([0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const jpegHead = Buffer.from([0xff, 0xd8, 0xff]);
const jpegTail = Buffer.from([0xff, 0xd9]);

/** Files are not flushed one by one, so a power cut may leave one without its end. */
function typeOf(head: Buffer, tail: Buffer): Rendition['type'] | undefined {
  if (head.equals(pngHead) && tail.equals(pngTail)) return 'image/png';
  if (head.subarray(0, 3).equals(jpegHead) && tail.subarray(-2).equals(jpegTail)) return 'image/jpeg';
  return undefined;
}

function asCount(value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError('not a whole number from 1 upward');
  return value;
}

function unlessTorn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

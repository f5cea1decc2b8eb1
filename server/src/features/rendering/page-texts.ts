import { rm } from 'node:fs/promises';
import { pageText, type PageText } from '@pergamin/contract';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import type { Renditions } from '#platform/renditions/renditions.ts';
import { copyObject } from './object-copy.ts';
import type { RenderableObject } from './rendering.service.ts';

interface Parts {
  readonly objects: Pick<Objects, 'open'>;
  readonly pdf: Pick<PdfPool, 'readLines'>;
  readonly renditions: Pick<Renditions, 'openText' | 'putText' | 'makeWorkPath'>;
  readonly log: Log;
}

/** Pages read together: whoever asks for one asks for its neighbours next, and opening the document costs as much as a few pages. */
const pagesAtOnce = 16;

/**
 * Texts of pages, read when first asked for and kept beside the page images. In this process a group of pages is read once, however many ask;
 * a reader's groups are read one after the other, so that nobody fills the queue alone.
 */
export const createPageTexts = ({ objects, pdf, renditions, log }: Parts) => {
  const underWay = new Map<string, Promise<Map<number, PageText>>>();
  const lastOf = new Map<string, Promise<unknown>>();

  const find = async (key: { sha256: string; page: number }): Promise<PageText | undefined> => {
    const kept = await renditions.openText(key);
    return kept === undefined ? undefined : pageText.safeParse(kept).data;
  };

  const readGroup = async ({ objectKey, sha256, pages }: RenderableObject, first: number): Promise<Map<number, PageText>> => {
    const found = new Map<number, PageText>();
    const path = await renditions.makeWorkPath();
    try {
      await copyObject(objects, { objectKey, sha256, path });
      await pdf.readLines({
        path,
        pages: Array.from({ length: Math.min(pagesAtOnce, pages - first + 1) }, (_, index) => first + index),
        async onPage(page, text) {
          found.set(page, text);
          await renditions.putText({ sha256, page }, text);
        },
      });
    } finally {
      await rm(path, { force: true });
    }
    return found;
  };

  /** Begins when what the same reader asked for before has ended. */
  const inTurn = async <T>(reader: string | undefined, work: () => Promise<T>): Promise<T> => {
    if (reader === undefined) return work();
    const before = lastOf.get(reader) ?? Promise.resolve();
    const mine = before.then(work, work);
    lastOf.set(reader, mine);
    try {
      return await mine;
    } finally {
      if (lastOf.get(reader) === mine) lastOf.delete(reader);
    }
  };

  return async (object: RenderableObject, { page, reader }: { page: number; reader?: string }): Promise<PageText> => {
    const { sha256 } = object;
    const kept = await find({ sha256, page });
    if (kept !== undefined) return kept;
    const first = page - ((page - 1) % pagesAtOnce);
    const key = `${sha256}:${first}`;
    let reading = underWay.get(key);
    if (reading === undefined) {
      reading = inTurn(reader, () => readGroup(object, first)).finally(() => underWay.delete(key));
      underWay.set(key, reading);
    }
    try {
      const text = (await reading).get(page);
      if (text !== undefined) return text;
      throw new Error(`page ${page} was not read`);
    } catch (error) {
      log.warn({ err: error, sha256, page }, 'the text of a page could not be read');
      throw new PortalError(isStorageFault(error) ? 'STORAGE_ERROR' : 'RENDER_ERROR', { cause: error });
    }
  };
};

import { pageText, type PageText } from '@pergamin/contract';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import type { Renditions } from '#platform/renditions/renditions.ts';
import type { RenderableObject, WithCopy } from './source-copies.ts';

interface Parts {
  readonly withCopy: WithCopy;
  readonly pdf: Pick<PdfPool, 'readLines'>;
  readonly renditions: Pick<Renditions, 'openText' | 'putText'>;
  readonly log: Log;
}

/** Read together: a viewer needs the neighbours next, and opening a document costs as much as a few pages. */
const pagesAtOnce = 16;

/** Texts of pages, read when first asked for and stored beside the page images. Single flight: one reading per group of pages. */
export const createPageTexts = ({ withCopy, pdf, renditions, log }: Parts) => {
  const reading = new Map<string, Promise<Map<number, PageText>>>();

  const find = async (key: { sha256: string; page: number }): Promise<PageText | undefined> => {
    const stored = await renditions.openText(key);
    return stored === undefined ? undefined : pageText.safeParse(stored).data;
  };

  const readGroup = async (object: RenderableObject, { first, client }: { first: number; client: string | undefined }) => {
    const found = new Map<number, PageText>();
    const pages = Array.from({ length: Math.min(pagesAtOnce, object.pages - first + 1) }, (_, index) => first + index);
    const onPage = async (page: number, text: PageText): Promise<void> => {
      found.set(page, text);
      await renditions.putText({ sha256: object.sha256, page }, text);
    };
    await withCopy(object, (path) => pdf.readLines({ path, pages, client, onPage }));
    return found;
  };

  return async (object: RenderableObject, { page, client }: { page: number; client?: string }): Promise<PageText> => {
    const { sha256 } = object;
    const stored = await find({ sha256, page });
    if (stored !== undefined) return stored;
    const first = page - ((page - 1) % pagesAtOnce);
    const key = `${sha256}:${first}`;
    const group = reading.get(key) ?? readGroup(object, { first, client }).finally(() => reading.delete(key));
    reading.set(key, group);
    try {
      const text = (await group).get(page);
      if (text !== undefined) return text;
      throw new Error(`page ${page} was not read`);
    } catch (error) {
      log.warn({ err: error, sha256, page }, 'the text of a page could not be read');
      throw new PortalError(isStorageFault(error) ? 'STORAGE_ERROR' : 'RENDER_ERROR', { cause: error });
    }
  };
};

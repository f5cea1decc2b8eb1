import { pageText, type PageText } from '@pergamin/contract';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
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

interface Wanted {
  /** Read first. */
  readonly page: number;
  readonly client: string | undefined;
}

/** Texts of pages, read when first asked for and stored beside the page images. Single flight: one reading per group of pages. */
export const createPageTexts = ({ withCopy, pdf, renditions, log }: Parts) => {
  const reading = new Map<string, ReadonlyMap<number, Promise<PageText>>>();
  const running = new Set<Promise<void>>();

  const find = async (key: { sha256: string; page: number }): Promise<PageText | undefined> => {
    const stored = await renditions.openText(key);
    return stored === undefined ? undefined : pageText.safeParse(stored).data;
  };

  /** Each page by itself: one that cannot be read keeps no other from being shown. */
  const readGroup = (object: RenderableObject, { page, client }: Wanted, key: string): ReadonlyMap<number, Promise<PageText>> => {
    const first = firstOf(page);
    const others = Array.from({ length: Math.min(pagesAtOnce, object.pages - first + 1) }, (_, index) => first + index);
    const pages = [page, ...others.filter((other) => other !== page)];
    const found = new Map(pages.map((each) => [each, Promise.withResolvers<PageText>()]));
    const onPage = async (each: number, text: PageText): Promise<void> => {
      found.get(each)?.resolve(text);
      await renditions.putText({ sha256: object.sha256, page: each }, text);
    };
    const onLost = (each: number, error: unknown): void => found.get(each)?.reject(error);
    // Most pages are not asked for.
    for (const { promise } of found.values()) promise.catch(() => undefined);
    const run = withCopy(object, (path) => pdf.readLines({ path, pages, client, onPage, onLost }))
      .catch((error: unknown) => pages.forEach((each) => onLost(each, error)))
      .finally(() => {
        reading.delete(key);
        running.delete(run);
      });
    running.add(run);
    return new Map([...found].map(([each, { promise }]) => [each, promise]));
  };

  const read = async (object: RenderableObject, { page, client }: { page: number; client?: string }): Promise<PageText> => {
    const { sha256 } = object;
    const stored = await find({ sha256, page });
    if (stored !== undefined) return stored;
    const key = `${sha256}:${firstOf(page)}`;
    const group = reading.get(key) ?? readGroup(object, { page, client }, key);
    reading.set(key, group);
    try {
      const text = await group.get(page);
      if (text !== undefined) return text;
      throw new Error(`page ${page} was not read`);
    } catch (error) {
      log.warn({ err: error, sha256, page }, 'the text of a page could not be read');
      throw refusalOf(error);
    }
  };

  return {
    /**
     * Throws CALL_NOT_PERMITTED with Retry-After when it took too long, RENDER_ERROR when it cannot be read, STORAGE_ERROR when a store or disk is
     * at fault.
     */
    read,
    /** Once nothing is read any more. */
    settled: async (): Promise<void> => void (await Promise.all(running)),
  };
};

const retryAfterSeconds = 30;

const refusalOf = (error: unknown): PortalError => {
  if (isStorageFault(error)) return new PortalError('STORAGE_ERROR', { cause: error });
  if (error instanceof PdfError && error.code === 'RENDER_FAILED')
    return new PortalError('CALL_NOT_PERMITTED', { message: 'Reading this page took too long', retryAfterSeconds, cause: error });
  return new PortalError('RENDER_ERROR', { cause: error });
};

const firstOf = (page: number): number => page - ((page - 1) % pagesAtOnce);

import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { RenditionKey, RenditionSet } from '#platform/renditions/renditions.ts';
import { idOf } from './source-copies.ts';

/**
 * A negative cache. Pages are retried when no page of their document has failed for longer than a page takes in the background, or slow pages
 * would take turns for ever; a document that cannot be read is retried after a minute, one that a store or disk withheld sooner.
 */
const retryAfterMs = { page: 120_000, document: 60_000, store: 5_000 };

/** Whether only this page is to blame: the others may be drawn. */
export const isOfPage = (error: unknown): boolean =>
  error instanceof PdfError && (error.code === 'UNDRAWABLE' || error.code === 'RENDER_FAILED');

/** Whether another attempt would fail, too. */
export const isFinal = (error: unknown): boolean => error instanceof PdfError && error.code === 'UNDRAWABLE';

export interface FailedPage {
  readonly page: number;
  readonly isFinal: boolean;
}

interface Failures {
  untilMs: number;
  readonly pages: Map<number, unknown>;
  /** Of all of it. */
  error?: unknown;
}

/** Documents and pages that could not be drawn in a width lately. Known to this process only. */
export const createPageFailures = () => {
  const all = new Map<string, Failures>();
  const find = (set: RenditionSet): Failures | undefined => {
    const failures = all.get(idOf(set));
    return failures === undefined || failures.untilMs <= performance.now() ? undefined : failures;
  };
  return {
    add({ page, ...set }: RenditionKey, error: unknown): void {
      const nowMs = performance.now();
      for (const [id, { untilMs }] of all) if (untilMs <= nowMs) all.delete(id);
      const failures: Failures = all.get(idOf(set)) ?? { untilMs: 0, pages: new Map() };
      all.set(idOf(set), failures);
      if (isOfPage(error)) {
        failures.pages.set(page, error);
        failures.untilMs = Math.max(failures.untilMs, nowMs + retryAfterMs.page);
      } else {
        failures.error = error;
        failures.untilMs = nowMs + (isStorageFault(error) ? retryAfterMs.store : retryAfterMs.document);
      }
    },
    forget: ({ page, ...set }: RenditionKey): void => void all.get(idOf(set))?.pages.delete(page),
    /** Why nothing of it can be drawn. */
    findOfDocument: (set: RenditionSet): { readonly error: unknown } | undefined => {
      const failures = find(set);
      return failures?.error === undefined ? undefined : { error: failures.error };
    },
    /** Why this page cannot be drawn. */
    findOfPage: ({ page, ...set }: RenditionKey): unknown => find(set)?.pages.get(page),
    /** In page order. */
    listPages: (set: RenditionSet): FailedPage[] =>
      [...(find(set)?.pages ?? [])]
        .map(([page, error]) => ({ page, isFinal: isFinal(error) }))
        .toSorted((one, other) => one.page - other.page),
  };
};

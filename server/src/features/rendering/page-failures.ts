import { isStorageFault } from '#platform/disk/storage-fault.ts';
import type { RenditionSet } from '#platform/renditions/renditions.ts';

/** A negative cache: a document that cannot be rendered is retried after a minute, one that a store or disk withheld sooner. */
const retryAfterMs = { document: 60_000, store: 5_000 };

/** Documents that could not be drawn in a width lately. Known to this process only. */
export const createPageFailures = () => {
  const failures = new Map<string, { readonly error: unknown; readonly untilMs: number }>();
  const keyOf = ({ sha256, width }: RenditionSet): string => `${sha256}:${width}`;
  return {
    add(set: RenditionSet, error: unknown): void {
      const nowMs = performance.now();
      for (const [key, { untilMs }] of failures) if (untilMs <= nowMs) failures.delete(key);
      failures.set(keyOf(set), { error, untilMs: nowMs + (isStorageFault(error) ? retryAfterMs.store : retryAfterMs.document) });
    },
    find(set: RenditionSet): { readonly error: unknown } | undefined {
      const failure = failures.get(keyOf(set));
      return failure === undefined || failure.untilMs <= performance.now() ? undefined : failure;
    },
  };
};

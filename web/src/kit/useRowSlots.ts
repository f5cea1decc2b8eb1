import { useState } from 'react';

interface Slots {
  readonly viewId: string | undefined;
  readonly ids: readonly string[];
  readonly keys: readonly number[];
}

/**
 * The key of each row's element, by index. Another page or order writes other texts into the elements that are there: the browser is spared a
 * hundred new rows. Within a view an element stays with its row, whatever comes in before it, so that a focus never moves to another one.
 */
export function useRowSlots(
  ids: readonly string[],
  { viewId, settled }: { viewId: string | undefined; settled: boolean },
): readonly number[] {
  const [slots, setSlots] = useState<Slots>(() => ({ viewId, ids, keys: ids.map((_, index) => index) }));
  if (slots.ids === ids && (slots.viewId === viewId || !settled)) return slots.keys;
  const isNewView = settled && slots.viewId !== viewId;
  const next = {
    viewId: settled ? viewId : slots.viewId,
    ids,
    keys: isNewView ? ids.map((_, index) => index) : keysOf(slots, ids),
  };
  setSlots(next);
  return next.keys;
}

/** Whoever stays keeps the key; whoever comes takes one that is free. */
const keysOf = (before: Slots, ids: readonly string[]): readonly number[] => {
  const known = new Map(before.ids.map((id, index) => [id, before.keys[index]]));
  const kept = new Set(ids.map((id) => known.get(id)));
  let free = -1;
  const nextFree = (): number => {
    do free += 1;
    while (kept.has(free));
    return free;
  };
  return ids.map((id) => known.get(id) ?? nextFree());
};

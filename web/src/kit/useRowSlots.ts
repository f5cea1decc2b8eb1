import { useState } from 'react';
import { firstGroups, groupsIn, nextGroups, type RowGroup } from './row-groups.ts';

interface Slots {
  readonly viewId: string | undefined;
  readonly ids: readonly string[];
  readonly keys: readonly number[];
  /** By index. */
  readonly groups: readonly number[];
  readonly sections: readonly RowGroup[];
}

/**
 * The key of each row's element, by index, and the groups in which they stand. Another page or order writes other texts into the elements that
 * are there: the browser is spared a hundred new rows. Within a view an element stays with its row, whatever comes in before it, so that a
 * focus never moves to another one.
 */
export function useRowSlots(
  ids: readonly string[],
  { viewId, settled }: { viewId: string | undefined; settled: boolean },
): Pick<Slots, 'keys' | 'sections'> {
  const [slots, setSlots] = useState<Slots>(() => {
    const groups = firstGroups(ids);
    return { viewId, ids, keys: ids.map((_, index) => index), groups, sections: groupsIn(groups) };
  });
  if (slots.ids === ids && (slots.viewId === viewId || !settled)) return slots;
  const isNewView = settled && slots.viewId !== viewId;
  const groups = isNewView ? firstGroups(ids) : nextGroups(slots, ids);
  const next = {
    viewId: settled ? viewId : slots.viewId,
    ids,
    keys: isNewView ? ids.map((_, index) => index) : keysOf(slots, ids),
    groups,
    sections: groupsIn(groups),
  };
  setSlots(next);
  return next;
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

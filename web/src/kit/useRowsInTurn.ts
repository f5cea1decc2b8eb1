import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from '#platform/when-idle.ts';

/** As many as a tall screen shows at once. */
const atOnce = 18;
const perTurn = 16;
const atLatestMs = 500;

/**
 * How many of many rows are to be on the page by now: at once those that can be seen, the rest bit by bit when there is nothing else to do, so
 * that another page or order is seen after the work of a screenful, whatever its size. `viewId` names what begins anew.
 */
export function useRowsInTurn(total: number, viewId: string | undefined): { readonly count: number } {
  const [shown, setShown] = useState({ viewId, count: atOnce });
  if (shown.viewId !== viewId) setShown({ viewId, count: atOnce });
  const count = Math.min(total, shown.viewId === viewId ? shown.count : atOnce);
  useEffect(() => {
    if (count >= total) return undefined;
    const grow = () => startTransition(() => setShown((now) => ({ ...now, count: now.count + perTurn })));
    return whenIdle(grow, atLatestMs);
  }, [count, total]);
  return { count };
}

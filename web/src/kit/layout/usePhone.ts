import { windowLimits } from '@pergamin/contract';
import { useSyncExternalStore } from 'react';

/** Below 870 px (style sheets say the same): lists instead of tables, windows always full, menu in a drawer. Also what 400 % zoom gets. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches, onServer);
}

const query = matchMedia(`(width < ${windowLimits.mobileBelowPx}px)`);
/** A page that the server draws is drawn for a wide screen; style sheets make it fit. */
const onServer = () => false;

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

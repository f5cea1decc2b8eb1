import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ShownState, ViewerOptions } from './viewer.state.ts';
import { createViewer } from './viewer.store.ts';

export type Viewer = ReturnType<typeof createViewer>;

/** A viewer for the life of the component; it reads the options once. */
export function useViewer(options: ViewerOptions): Viewer {
  const [viewer] = useState(() => createViewer(options));
  useEffect(() => viewer.open(), [viewer]);
  return viewer;
}

/** A part of the viewer's state, of which equal values are the same. */
export const useViewerState = <Part>({ subscribe, getState }: Viewer, select: (state: ShownState) => Part): Part =>
  useSyncExternalStore(subscribe, () => select(getState()));

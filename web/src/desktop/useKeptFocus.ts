import { useEffect } from 'react';
import { useWindowContext } from './desktop.context.ts';

/** Content that was replaced takes a focus in it along: when the new one has `settled`, the window's title gets it, unless anything else did. */
export function useKeptFocus(settled: boolean): void {
  const { id } = useWindowContext();
  useEffect(() => {
    if (!settled || (document.activeElement !== null && document.activeElement !== document.body)) return;
    document.querySelector<HTMLElement>(`[data-window="${CSS.escape(id)}"][data-focused] h2`)?.focus({ preventScroll: true });
  }, [id, settled]);
}

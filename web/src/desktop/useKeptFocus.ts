import { useEffect } from 'react';
import { useWindowContext } from './desktop.context.ts';

/**
 * Content that was replaced takes a focus inside it along: when it has `settled`, and nothing else took the focus meanwhile, the window's
 * title gets it, so that keys and screen readers are not thrown back to the top of the page.
 */
export function useKeptFocus(settled: boolean): void {
  const { id } = useWindowContext();
  useEffect(() => {
    if (!settled || (document.activeElement !== null && document.activeElement !== document.body)) return;
    document.querySelector<HTMLElement>(`[data-window="${CSS.escape(id)}"][data-focused] h2`)?.focus({ preventScroll: true });
  }, [id, settled]);
}

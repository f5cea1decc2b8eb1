import { useEffect, useLayoutEffect, useRef } from 'react';

/** Another view begins at its top. Answers what minds the scrolling: to ask an element how far it is scrolled costs a layout of all rows. */
export function useTopOfView(wrap: HTMLElement | null, viewId: string | undefined): () => void {
  const shown = useRef(viewId);
  const scrolled = useRef(false);
  useEffect(() => {
    if (shown.current === viewId) return;
    shown.current = viewId;
    if (scrolled.current) wrap?.scrollTo({ top: 0 });
    scrolled.current = false;
  }, [wrap, viewId]);
  return () => {
    scrolled.current = true;
  };
}

/** The elements of the rows serve another view: a focus that was in one of them would be in a row that nobody has chosen. */
export function useFocusOfView(wrap: HTMLElement | null, viewId: string | undefined): void {
  const shown = useRef(viewId);
  useLayoutEffect(() => {
    if (shown.current === viewId) return;
    shown.current = viewId;
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.closest('tbody') && wrap?.contains(activeElement) === true)
      activeElement.blur();
  }, [wrap, viewId]);
}

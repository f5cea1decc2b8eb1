import { useCallback, useSyncExternalStore } from 'react';

interface Width {
  readonly px: number;
  /** As much at the usual text size: larger text needs more room. */
  readonly atUsualTextPx: number;
}

const usualTextPx = 16;
const unknown: Width = { px: 0, atUsualTextPx: 0 };
/** As they were measured last: reading them lays nothing out. What is not shown has no width, and keeps the one that it had. */
const widths = new WeakMap<HTMLElement, Width>();

/** The width of an element in px, 0 until it was measured. */
export function useWidth(element: HTMLElement | null): number {
  return useOfWidth(element, ({ px }) => px);
}

/** What follows from the width of an element; rendered anew when that changes. */
export function useOfWidth(element: HTMLElement | null, read: (width: Width) => number): number {
  const subscribe = useCallback(
    (tell: () => void) => {
      if (element === null) return () => undefined;
      const observer = new ResizeObserver(() => {
        measure(element);
        tell();
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [element],
  );
  // Measured while rendering: what depends on the room is right at once, and is not rendered and laid out a second time.
  return useSyncExternalStore(subscribe, () => read(element === null ? unknown : (widths.get(element) ?? measure(element))));
}

const measure = (element: HTMLElement): Width => {
  const px = element.clientWidth;
  if (px === 0) return widths.get(element) ?? unknown;
  const textPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const width = { px, atUsualTextPx: (px * usualTextPx) / textPx };
  widths.set(element, width);
  return width;
};

import { useLayoutEffect, useState } from 'react';

/** The width of an element in px, 0 until it was measured. */
export function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    // At once, so that what depends on it is in the first picture.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

import { useLayoutEffect } from 'react';

/** Notes on an element beyond which of its edges its content goes on (`data-more`), so that the style sheet can show it. */
export function useScrollCue(element: HTMLElement | null, content: unknown): void {
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const above = scrollTop > 0;
      const below = scrollTop + clientHeight < scrollHeight - 1;
      const more = above && below ? 'both' : above ? 'above' : 'below';
      if (above || below) element.dataset['more'] = more;
      else delete element.dataset['more'];
    };
    const observer = new ResizeObserver(look);
    for (const one of [element, ...element.children]) observer.observe(one);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [element, content]);
}

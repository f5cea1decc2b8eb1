import { useLayoutEffect } from 'react';

/** Notes on an element beyond which of its edges its content goes on (`data-more`), so that the style sheet can show it. */
export function useScrollCue(element: HTMLElement | null): void {
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
    const sizes = new ResizeObserver(look);
    const watchSizes = () => {
      sizes.disconnect();
      for (const one of [element, ...element.children]) sizes.observe(one);
    };
    const children = new MutationObserver(watchSizes);
    children.observe(element, { childList: true });
    watchSizes();
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      children.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [element]);
}

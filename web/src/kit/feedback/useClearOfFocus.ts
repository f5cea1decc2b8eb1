import { useEffect, useState, type RefObject } from 'react';

/** Titles and fields to type into: messages lie over them only where they would hide the focus otherwise. */
const keptFree = 'h1, h2, input';

/**
 * Whether messages should leave the top of the page for its bottom: they would hide the focused control there (WCAG 2.4.11), or a title or a
 * field. Looked at when the number of `shown` ones changes and whenever the focus moves; decided by where they lie in either place, so that
 * they do not jump to and fro.
 */
export function useClearOfFocus(region: RefObject<HTMLElement | null>, shown: number): boolean {
  const [low, setLow] = useState(false);
  useEffect(() => {
    if (shown === 0) return undefined;
    const look = () => {
      const [element, focused] = [region.current, document.activeElement];
      if (element === null || focused === null || element.contains(focused)) return;
      const others = [...document.querySelectorAll(keptFree)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
      const costs = places(element).map(
        (place) => (isHidden(focused, place) ? 2 : 0) + (others.some((one) => isHidden(one, place)) ? 1 : 0),
      );
      const [atTop = 0, atBottom = 0] = costs;
      setLow(atBottom < atTop);
    };
    look();
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, [region, shown]);
  return low && shown > 0;
}

/** Where the messages are at the top of the page, and where at its bottom. */
const places = (element: HTMLElement): DOMRect[] => {
  const isLow = element.hasAttribute('data-low');
  const found = [false, true].map((low) => {
    element.toggleAttribute('data-low', low);
    const { top, height } = element.getBoundingClientRect();
    const { left, width } = (element.firstElementChild ?? element).getBoundingClientRect();
    return new DOMRect(left, top, width, height);
  });
  element.toggleAttribute('data-low', isLow);
  return found;
};

/** What is larger than the messages can never be hidden by them. */
const isHidden = (one: Element, place: DOMRect): boolean => {
  const at = one.getBoundingClientRect();
  return at.top < place.bottom && at.bottom > place.top && at.left < place.right && at.right > place.left && at.height <= place.bottom;
};

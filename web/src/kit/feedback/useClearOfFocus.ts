import { useEffect, useState, type RefObject } from 'react';

/**
 * Whether what lies at the top of the page should give way because it would hide the focused control (WCAG 2.4.11). Looked at when the
 * number of `shown` ones changes and whenever the focus moves; decided by where it lies at the top, so that it does not jump to and fro.
 */
export function useClearOfFocus(region: RefObject<HTMLElement | null>, shown: number): boolean {
  const [low, setLow] = useState(false);
  useEffect(() => {
    if (shown === 0) return undefined;
    const look = () => {
      const [element, focused] = [region.current, document.activeElement];
      if (element === null || focused === null || element.contains(focused)) return;
      const { height, top } = element.getBoundingClientRect();
      const start = element.hasAttribute('data-low') ? topPx : top;
      const at = focused.getBoundingClientRect();
      const stack = element.firstElementChild?.getBoundingClientRect();
      // What is larger than the messages can never be hidden by them.
      setLow(
        stack !== undefined &&
          at.top < start + height &&
          at.bottom > start &&
          at.left < stack.right &&
          at.right > stack.left &&
          at.height <= height + start,
      );
    };
    look();
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, [region, shown]);
  return low && shown > 0;
}

const topPx = 72;

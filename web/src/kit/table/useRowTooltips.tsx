import { useCallback, useEffect, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, PointerEvent } from 'react';
import { Bubble, hoverDelayMs } from '#kit/overlays/useTooltip.tsx';

/**
 * Like `useTooltip`, for the many controls of a table: one listener around all of them. A button shows its name; any element shows its
 * `data-tip` instead, with `data-tip-when="cut"` only while it has no room for its own text.
 */
export function useRowTooltips() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const trigger = {
    onPointerOver: (event: PointerEvent<HTMLElement>) => {
      const target = tipOf(event.target);
      if (event.pointerType === 'touch' || target === undefined) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setAnchor(target), hoverDelayMs);
    },
    onPointerOut: hide,
    onPointerDown: hide,
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const target = tipOf(event.target);
      if (target?.matches(':focus-visible') === true) setAnchor(target);
    },
    onBlur: hide,
  };
  /** Hides the tooltip on Escape; answers whether that used the key up. */
  const takeKey = (event: KeyboardEvent): boolean => {
    if (event.key !== 'Escape' || anchor === undefined) return false;
    event.stopPropagation();
    hide();
    return true;
  };
  const text = anchor?.isConnected === true ? (anchor.dataset['tip'] ?? anchor.ariaLabel) : null;
  return { trigger, takeKey, tooltip: anchor && text !== null ? <Bubble anchor={anchor} text={text} /> : null };
}

const tipOf = (target: EventTarget): HTMLElement | undefined => {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-tip], button[aria-label]') : null;
  if (element === null || (element.dataset['tipWhen'] === 'cut' && !isCut(element))) return undefined;
  return element;
};

/** What may be cut is the element itself, or the part of it that is marked so. */
const isCut = (element: HTMLElement): boolean => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element.querySelector('[data-may-be-cut]') ?? element;
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
};

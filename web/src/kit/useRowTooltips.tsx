import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { Bubble, hoverDelayMs } from './useTooltip.tsx';

const selector = '[data-tip]';

/** Like `useTooltip`, for a great number of controls: one listener around all that have `data-tip`, instead of six at each. Empty, it is their name, or what `data-tip-from` shows. */
export function useRowTooltips() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const trigger = useMemo(
    () => ({
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
    }),
    [hide],
  );
  /** Whether the key was the tooltip's own. */
  const takeKey = (event: KeyboardEvent): boolean => {
    if (event.key !== 'Escape' || anchor === undefined) return false;
    event.stopPropagation();
    hide();
    return true;
  };
  const text = anchor?.isConnected === true ? anchor.dataset['tip'] || shownOf(anchor) || nameOf(anchor) : undefined;
  const tooltip: ReactNode = anchor !== undefined && text !== undefined ? <Bubble anchor={anchor} text={text} /> : null;
  return { trigger, tooltip, takeKey };
}

/** With `data-tip-from` it is said only when the element has no room for its text. */
const tipOf = (target: EventTarget): HTMLElement | undefined => {
  const element = target instanceof Element ? target.closest<HTMLElement>(selector) : null;
  if (element === null || (element.dataset['tipFrom'] !== undefined && element.scrollWidth <= element.clientWidth)) return undefined;
  return element;
};

const shownOf = ({ dataset }: HTMLElement): string | undefined =>
  // oxlint-disable-next-line unicorn/prefer-query-selector -- made ids would have to be escaped
  document.getElementById(dataset['tipFrom'] ?? '')?.textContent;

/** As a screen reader says it: of several elements, one of which may be the control itself. */
const nameOf = (control: HTMLElement): string | undefined => {
  const ids = control.getAttribute('aria-labelledby')?.split(' ');
  if (ids === undefined) return control.ariaLabel ?? undefined;
  // oxlint-disable-next-line unicorn/prefer-query-selector -- made ids would have to be escaped
  return ids.map((id) => (id === control.id ? control.ariaLabel : document.getElementById(id)?.textContent)).join(' ');
};

import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';
import { useDesktop } from './desktop.context.ts';

interface FocusParts {
  readonly id: string;
  readonly focused: boolean;
  readonly frame: RefObject<HTMLElement | null>;
  readonly title: RefObject<HTMLElement | null>;
}

/**
 * Focus and stacking are one thing: a control that gets the focus inside a window raises it (nothing focused is ever covered),
 * and a window that was raised takes the focus on its title unless it is inside already.
 */
export function useFocusWindow({ id, focused, frame, title }: FocusParts) {
  const { focus } = useDesktop();
  useLayoutEffect(() => {
    if (focused && frame.current?.contains(document.activeElement) === false) title.current?.focus({ preventScroll: true });
  }, [focused, frame, title]);
  const raise = () => focus(id);
  return { onFocusCapture: raise, onPointerDownCapture: raise };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import type { FocusEvent, KeyboardEvent, PointerEvent, ReactNode } from 'react';
import css from './Tooltip.module.css';

export const hoverDelayMs = 500;
const gap = 6;

export interface TooltipTrigger {
  readonly onPointerEnter: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave: () => void;
  readonly onPointerDown: () => void;
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/**
 * A short text beside a control: after 500 ms of pointing, at once on keyboard focus; Escape hides it.
 * It is for the eyes only: give the text to the accessible name or description as well.
 */
export function useTooltip(text: string | undefined): { readonly trigger: TooltipTrigger; readonly tooltip: ReactNode } {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const trigger: TooltipTrigger = {
    onPointerEnter: (event) => {
      if (event.pointerType === 'touch') return;
      const target = event.currentTarget;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setAnchor(target), hoverDelayMs);
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: (event) => {
      if (event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget);
    },
    onBlur: hide,
    onKeyDown: (event) => {
      if (event.key !== 'Escape' || anchor === undefined) return;
      // The first Escape belongs to the tooltip alone, not to the dialog or window around it.
      event.stopPropagation();
      hide();
    },
  };
  return { trigger, tooltip: anchor !== undefined && text !== undefined ? <Bubble anchor={anchor} text={text} /> : null };
}

export function Bubble({ anchor, text }: { readonly anchor: HTMLElement; readonly text: string }) {
  const bubble = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // In a frame of its own: while a panel that has just closed gives its focus back, the browser shows no other one.
    const frame = requestAnimationFrame(() => {
      const element = bubble.current;
      if (!element) return;
      // The top layer: a window's edge must not cut the text off.
      element.showPopover();
      const at = anchor.getBoundingClientRect();
      const size = element.getBoundingClientRect();
      const below = at.bottom + gap + size.height <= innerHeight;
      const left = Math.min(Math.max(at.left + (at.width - size.width) / 2, gap), innerWidth - size.width - gap);
      element.style.left = `${left}px`;
      element.style.top = `${below ? at.bottom + gap : at.top - gap - size.height}px`;
    });
    return () => cancelAnimationFrame(frame);
  }, [anchor]);
  return (
    <span ref={bubble} className={css['bubble']} popover="manual" aria-hidden="true">
      {text}
    </span>
  );
}

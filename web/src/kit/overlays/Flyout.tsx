import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, ReactNode, RefObject } from 'react';
import css from './Flyout.module.css';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';

export interface FlyoutProps {
  readonly icon: IconName;
  /** The button's name, its counter in words. */
  readonly name: string;
  readonly count?: number;
  readonly size?: 'm' | 'l';
  /** What opens is called so. */
  readonly label: string;
  /** Rendered while it is open; `close` gives the focus back to the button. What is marked with `data-flyout-start` begins with the focus. */
  readonly children: (close: () => void) => ReactNode;
}

const marginPx = 8;

/** A button with a panel for rows of more than one control each; Escape, a press outside or a focus that moves on close it. */
export function Flyout({ icon, name, count = 0, size = 'l', label, children }: FlyoutProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [panel, setPanel] = useState<HTMLDivElement | null>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  const close = useCallback(() => panel?.hidePopover(), [panel]);
  usePlaceBelow(panel, button, open);

  // What is in it may take the keys first.
  useEffect(() => {
    if (open) (panel?.querySelector<HTMLElement>('[data-flyout-start]') ?? panel)?.focus({ preventScroll: true });
  }, [open, panel]);
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // Without a next one, the page itself lost the focus, or what had it has gone.
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget) && relatedTarget !== button.current) close();
  };
  return (
    <>
      <IconButton
        ref={button}
        size={size}
        icon={icon}
        name={name}
        count={count}
        aria-haspopup="dialog"
        aria-expanded={open}
        // The browser does the rest: it opens, closes, and puts the panel after the button in the order of the keys.
        popoverTarget={id}
      />
      {/* Where its focus goes is watched; what is in it has the controls. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={setPanel}
        id={id}
        className={css['panel']}
        popover="auto"
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onBlur={handleBlur}
      >
        {open && children(close)}
      </div>
    </>
  );
}

/** Below the button, its right edge a little beyond the button's, and always on the page. */
function usePlaceBelow(panel: HTMLElement | null, anchor: RefObject<HTMLElement | null>, open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return undefined;
    const place = () => {
      const at = anchor.current?.getBoundingClientRect();
      if (at === undefined || panel === null) return;
      const pageWidth = document.documentElement.clientWidth;
      const fromRight = Math.min(pageWidth - at.right - at.width, pageWidth - panel.offsetWidth - marginPx);
      panel.style.setProperty('--below', `${at.bottom + 2 * marginPx}px`);
      panel.style.setProperty('--from-right', `${Math.max(marginPx, fromRight)}px`);
    };
    place();
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, [panel, anchor, open]);
}

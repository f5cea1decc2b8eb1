import type { HTMLAttributes, MouseEvent } from 'react';

interface RowOpenerProps extends Omit<HTMLAttributes<HTMLElement>, 'onClick'> {
  /** Where the row can be found by itself: a link then, which may also be opened in another tab. */
  readonly href: string | undefined;
  readonly onOpen: () => void;
}

/** What opens an entry of a list: a link where it has an address, else a button. With a modifier key a link is left to the browser. */
export function RowOpener({ href, onOpen, children, ...attributes }: RowOpenerProps) {
  if (href === undefined)
    return (
      <button type="button" onClick={onOpen} {...attributes}>
        {children}
      </button>
    );
  const handleClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a href={href} onClick={handleClick} {...attributes}>
      {children}
    </a>
  );
}

/** Opens the menu of an entry by a right click, through its button. A long press keeps the browser's own menu, which opens a link elsewhere; so do Shift and marked text. */
export const openMenuByMouse = (event: MouseEvent<HTMLElement>): void => {
  const isTouch = event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType !== 'mouse';
  const button = event.currentTarget.querySelector<HTMLElement>('button[aria-haspopup]');
  if (button === null || isTouch || event.shiftKey || getSelection()?.isCollapsed === false) return;
  event.preventDefault();
  button.click();
};

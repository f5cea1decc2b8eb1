import type { MouseEvent, ReactNode } from 'react';

interface RowOpenerProps {
  readonly className: string | undefined;
  /** Where the row can be found by itself: a link then, which may also be opened in another tab. */
  readonly href: string | undefined;
  readonly title?: string;
  /** The row has a context menu, which Shift+F10 opens here. */
  readonly menu?: boolean;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** What opens a row of a table or of the phone's list. */
export function RowOpener({ href, menu = false, onOpen, children, ...rest }: RowOpenerProps) {
  const keys = menu ? 'Shift+F10' : undefined;
  if (href === undefined)
    return (
      <button type="button" data-row-opener="" aria-keyshortcuts={keys} onClick={onOpen} {...rest}>
        {children}
      </button>
    );
  const handleClick = (event: MouseEvent) => {
    // With a modifier the browser knows what is wanted: a new tab, a new window, a download.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a href={href} data-row-opener="" aria-keyshortcuts={keys} onClick={handleClick} {...rest}>
      {children}
    </a>
  );
}

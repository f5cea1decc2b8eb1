import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';

interface RowOpenerProps {
  readonly className: string | undefined;
  /** Where the row can be found by itself: a link then, which may also be opened in another tab. */
  readonly href: string | undefined;
  readonly title?: string;
  readonly onOpen: () => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  readonly children: ReactNode;
}

/** What opens a row of a table or of the phone's list. */
export function RowOpener({ href, onOpen, children, ...rest }: RowOpenerProps) {
  if (href === undefined)
    return (
      <button type="button" data-row-opener="" onClick={onOpen} {...rest}>
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
    <a href={href} data-row-opener="" onClick={handleClick} {...rest}>
      {children}
    </a>
  );
}

import type { MouseEvent, ReactNode } from 'react';
import { isPlainClick } from './row-click.ts';

interface RowOpenerProps {
  readonly className: string | undefined;
  /** Where the row can be found by itself: a link then, which may also be opened in another tab. */
  readonly href: string | undefined;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** What opens an entry of a list. The rows of a table leave that to their table. */
export function RowOpener({ href, onOpen, children, className }: RowOpenerProps) {
  if (href === undefined)
    return (
      <button type="button" className={className} onClick={onOpen}>
        {children}
      </button>
    );
  const handleClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a href={href} className={className} onClick={handleClick}>
      {children}
    </a>
  );
}

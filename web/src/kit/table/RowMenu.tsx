import { lazy, Suspense, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import css from './RowMenu.module.css';
import type { Point } from './table-parts.ts';
import { menuButtonIdOf, openerIdOf } from './TableRow.tsx';

const Menu = lazy(async () => ({ default: (await import('#kit/overlays/Menu.tsx')).Menu }));

export interface RowMenuProps {
  readonly at: Point;
  /** Begins the ids of the elements in the row. */
  readonly domId: string;
  readonly entries: readonly MenuEntry[];
  /** Called once the menu has gone and the row has the focus. */
  readonly onAction: (id: string) => void;
  readonly onClose: () => void;
}

/** The menu of one row, where the pointer or the row's button is. */
export function RowMenu({ at, domId, entries, onAction, onClose }: RowMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const focusRow = (): void => {
    // oxlint-disable-next-line unicorn/prefer-query-selector -- made ids would have to be escaped
    document.getElementById(openerIdOf(domId))?.focus({ preventScroll: true });
  };
  const handleAction = (id: string): void => {
    focusRow();
    onAction(id);
  };
  const handleClose = (): void => {
    onClose();
    // A pointer opened it where nothing had the focus: it is on the row afterwards.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusRow();
    });
  };
  return (
    <>
      {/* Not in the window: one that is contained, or travels, places what is fixed within itself. */}
      {createPortal(
        <span
          ref={anchor}
          className={css['point']}
          style={{ left: at.x, top: at.y }}
          data-react-aria-top-layer="true"
          aria-hidden="true"
        />,
        document.body,
      )}
      <Suspense>
        <Menu
          anchor={anchor}
          labelledBy={menuButtonIdOf(domId)}
          entries={entries}
          focus="first"
          placement="bottom start"
          head={undefined}
          onAction={handleAction}
          onClose={handleClose}
        />
      </Suspense>
    </>
  );
}

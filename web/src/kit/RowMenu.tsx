import { lazy, Suspense, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { MenuEntry } from './menu-entry.ts';
import css from './RowMenu.module.css';

const Menu = lazy(async () => ({ default: (await import('./Menu.tsx')).Menu }));

export interface RowMenuProps {
  /** px in the viewport. */
  readonly at: { readonly x: number; readonly y: number };
  readonly labelledBy: string;
  readonly entries: readonly MenuEntry[];
  readonly onAction: (id: string) => void;
  readonly onClose: () => void;
}

/** The menu of one row, where the pointer or the row's button is. */
export function RowMenu({ at, labelledBy, entries, onAction, onClose }: RowMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
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
          labelledBy={labelledBy}
          entries={entries}
          focus="first"
          placement="bottom start"
          head={undefined}
          onAction={onAction}
          onClose={onClose}
        />
      </Suspense>
    </>
  );
}

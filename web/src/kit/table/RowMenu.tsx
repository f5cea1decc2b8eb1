import { lazy, Suspense, useRef } from 'react';
import type { MenuProps } from '#kit/overlays/Menu.tsx';

const Menu = lazy(async () => ({ default: (await import('#kit/overlays/Menu.tsx')).Menu }));

/** Where the menu of a row opens: at the pointer, or below what was pressed; px in the viewport. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** What opens the row: it has the focus once the menu has gone. */
  readonly opener: HTMLElement | null;
}

interface RowMenuProps extends Pick<MenuProps, 'labelledBy' | 'entries' | 'onAction' | 'onClose'> {
  readonly at: MenuPlace;
}

/** The menu of one row. */
export function RowMenu({ at, onClose, ...menu }: RowMenuProps) {
  const anchor = useRef(at.opener);
  const handleClose = (): void => {
    onClose();
    // A pointer opened it where nothing had the focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) at.opener?.focus({ preventScroll: true });
    });
  };
  return (
    <Suspense>
      <Menu {...menu} anchor={anchor} at={at} focus="first" placement="bottom start" onClose={handleClose} />
    </Suspense>
  );
}

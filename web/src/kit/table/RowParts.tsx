import type { HTMLAttributes, MouseEvent } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import css from './RowParts.module.css';
import type { RowIdentity } from './table-parts.ts';

/* What a row of a table, of the phone's list and of other lists have in common. */

/** The seal of a row or an icon, on its corner what a check gave. For the eyes: the row says the same in words. */
export function RowMark({ sha256, verdict, size }: Pick<RowIdentity, 'sha256' | 'verdict'> & { readonly size: 34 | 40 }) {
  return (
    <>
      {sha256 === undefined ? <Icon name="file-text-duotone" size={size === 34 ? 'l' : 'xl'} /> : <Seal sha256={sha256} size={size} />}
      {verdict !== undefined && (
        <span className={css['verdict']} data-verdict={verdict}>
          <Icon name={verdict === 'sound' ? 'check-circle-fill' : 'warning-circle-fill'} size="s" />
        </span>
      )}
    </>
  );
}

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

/** With Shift, or over marked text, the browser's own menu is what is wanted. */
export const wantsBrowserMenu = ({ shiftKey }: MouseEvent): boolean => shiftKey || getSelection()?.isCollapsed === false;

/** Opens the menu of an entry by a right click, through its button. A long press keeps the browser's own menu, which opens a link elsewhere. */
export const openMenuByMouse = (event: MouseEvent<HTMLElement>): void => {
  const isTouch = event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType !== 'mouse';
  const button = event.currentTarget.querySelector<HTMLElement>('button[aria-haspopup]');
  if (button === null || isTouch || wantsBrowserMenu(event)) return;
  event.preventDefault();
  button.click();
};

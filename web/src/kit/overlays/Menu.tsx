import { useEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { Keyboard, Menu as AriaMenu, MenuItem, Popover, Separator, Text } from 'react-aria-components';
import { t } from '#platform/language.ts';
import { useAfterwards } from '#kit/hooks/useAfterwards.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { classes } from '#kit/styles/classes.ts';
import css from './Menu.module.css';
import surface from './Surface.module.css';
import type { MenuEntry, MenuItemEntry } from './menu-entry.ts';

export interface MenuProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly labelledBy: string;
  readonly entries: readonly MenuEntry[];
  readonly focus: 'first' | 'last';
  readonly placement: 'bottom start' | 'bottom end' | 'top start';
  /** Where it opens instead of beside `anchor`; px in the viewport. */
  readonly at?: { readonly x: number; readonly y: number };
  readonly head?: ReactNode;
  readonly onAction: (id: string) => void;
  readonly onClose: () => void;
}

/** An open menu: arrow keys, typing ahead, Escape; below 870 px a sheet at the bottom edge. Taken down by `onClose`. */
export function Menu({ anchor, labelledBy, entries, focus, placement, at, head, onAction, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const afterwards = useAfterwards();
  useFocusInside(menu, focus);
  const blocked = new Set(entries.flatMap((entry) => ('id' in entry && entry.disabledReason !== undefined ? [entry.id] : [])));
  const handleAction = (id: string) => {
    const button = anchor.current;
    if (blocked.has(id)) return;
    afterwards(() => {
      button?.focus({ preventScroll: true });
      onAction(id);
    });
  };
  return (
    <Popover
      className={classes(surface['popover'], css['popover'])}
      triggerRef={anchor}
      trigger="MenuTrigger"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      placement={placement}
      offset={4}
      {...(at === undefined ? {} : { getTargetRect: () => new DOMRect(at.x, at.y, 1, 1) })}
      aria-labelledby={labelledBy}
    >
      {head !== undefined && (
        <div className={css['head']}>
          {head}
          {/* Of a sheet it is the way out that is seen; a menu goes with a press beside it. */}
          <span className={css['closer']}>
            <IconButton icon="x" name={t('menu.closeSheet')} onClick={onClose} />
          </span>
        </div>
      )}
      <AriaMenu
        ref={menu}
        className={css['menu'] ?? ''}
        aria-labelledby={labelledBy}
        autoFocus={focus}
        onAction={(key) => handleAction(String(key))}
        onClose={onClose}
      >
        {entries.map((entry) =>
          'separator' in entry ? (
            <Separator key={`separator-${entry.separator}`} className={css['line'] ?? ''} />
          ) : (
            <Entry key={entry.id} entry={entry} />
          ),
        )}
      </AriaMenu>
    </Popover>
  );
}

function Entry({ entry }: { readonly entry: MenuItemEntry }) {
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      className={css['entry'] ?? ''}
      shouldCloseOnSelect={entry.disabledReason === undefined}
      data-current={entry.current || undefined}
      data-blocked={entry.disabledReason === undefined ? undefined : true}
    >
      {entry.icon !== undefined && <Icon name={entry.icon} />}
      <span className={css['words']}>
        <Text slot="label">{entry.label}</Text>
        {entry.disabledReason !== undefined && (
          <>
            {/* Like the key below: read as the description, drawn by the style sheet. */}
            <Text slot="description" className="visually-hidden">
              {entry.disabledReason}
            </Text>
            <span className={css['reason']} data-reason={entry.disabledReason} />
          </>
        )}
      </span>
      {/* Drawn by the style sheet and read as the entry's description: the key is no part of its name. */}
      {entry.keys !== undefined && (
        <>
          <Keyboard className="visually-hidden">{entry.keys}</Keyboard>
          <span className={css['keys']} data-keys={entry.keys} />
        </>
      )}
    </MenuItem>
  );
}

/** After a click by Enter or a screen reader React Aria gives up moving the focus when the button loses it by becoming inert, as it does here. */
function useFocusInside(menu: RefObject<HTMLElement | null>, which: 'first' | 'last'): void {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = menu.current;
      if (element === null || (element !== document.activeElement && element.contains(document.activeElement))) return;
      const items = [...element.querySelectorAll<HTMLElement>('[role="menuitem"]')];
      items.at(which === 'first' ? 0 : -1)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [menu, which]);
}

import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { LoadBoundary } from '#kit/feedback/LoadBoundary.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { classes } from '#kit/styles/classes.ts';
import { onDemand } from '#platform/code-on-demand.ts';
import css from './MenuButton.module.css';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { MenuEntry } from './menu-entry.ts';
import { tip } from './tip.ts';

export interface MenuButtonProps {
  readonly entries: readonly MenuEntry[];
  /** Called once the menu has gone and the focus is back on the button, so that the action may move the focus on. */
  readonly onAction: (id: string) => void;
  /** The accessible name; needed with `icon`, otherwise the children name the button. */
  readonly name?: string;
  /** An icon button; without it the children are the face of the button. */
  readonly icon?: IconName;
  readonly look?: 'icon' | 'bar' | 'person' | 'plain';
  readonly current?: boolean;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start';
  /** What stands above the entries; on a phone the menu is a sheet and this its head. */
  readonly head?: ReactNode;
  readonly children?: ReactNode;
}

// The menu itself (React Aria) is fetched when the pointer or the focus comes to its button, never with the page.
const Menu = onDemand(async () => (await import('./Menu.tsx')).Menu);

/** The menu’s code loads at the first pointing or focus. Escape and a choice give the focus back to the button. */
export function MenuButton({
  entries,
  onAction,
  name,
  icon,
  look = icon === undefined ? 'plain' : 'icon',
  current = false,
  placement = 'bottom start',
  head,
  children,
}: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<false | 'first' | 'last'>(false);
  const buttonId = useId();

  const handleKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setOpen(event.key === 'ArrowDown' ? 'first' : 'last');
  };
  const prefetch = () => void Menu.preload();
  return (
    <>
      <button
        ref={button}
        id={buttonId}
        type="button"
        className={classes(css['button'], css[look])}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={open !== false}
        aria-current={current || undefined}
        {...tip(icon === undefined ? undefined : name)}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => setOpen(open === false ? 'first' : false)}
        onKeyDown={handleKeyDown}
      >
        {icon === undefined ? children : <Icon name={icon} />}
      </button>
      {open !== false && (
        <LoadBoundary onFailed={() => setOpen(false)}>
          <Menu.Component
            anchor={button}
            labelledBy={buttonId}
            entries={entries}
            focus={open}
            placement={placement}
            head={head}
            onAction={onAction}
            onClose={() => setOpen(false)}
          />
        </LoadBoundary>
      )}
    </>
  );
}

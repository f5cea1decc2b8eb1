import { type ReactNode, useState } from 'react';
import { t } from '#platform/language.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { useNarrow } from '#kit/layout/useNarrow.ts';
import { usePhone } from '#kit/layout/usePhone.ts';
import { Brand } from './Brand.tsx';
import { Drawer } from './Drawer.tsx';
import type { TileItem } from './Tiles.tsx';
import css from './Toolbar.module.css';
import { useFullScreen } from './useFullScreen.ts';

export interface ToolbarItem extends TileItem {
  readonly current?: boolean | undefined;
  /** A menu instead of an action. */
  readonly items?: readonly ToolbarItem[];
}

export interface ToolbarProps {
  readonly menu: readonly ToolbarItem[];
  readonly account: { readonly name: string; readonly detail?: string; readonly entries: readonly MenuEntry[] };
  readonly onAction: (id: string) => void;
  /** The search, before the full screen; the bell, between it and the person. */
  readonly search?: ReactNode;
  readonly bell?: ReactNode;
}

/** With less room than this, at the usual text size, the menu would have to be scrolled. */
const menuFromPx = 864;

/** Logo, menu, full screen, person; below 870 px, and where large text leaves as little room, menu and list of windows are in a drawer. */
export function Toolbar({ menu, account, onAction, search, bell }: ToolbarProps) {
  const phone = usePhone();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const folded = useNarrow(bar, menuFromPx) || phone;
  return (
    <header ref={setBar} className={css['toolbar']} data-region="toolbar">
      {folded && <Drawer menu={menu} account={account} onAction={onAction} />}
      <Brand />
      {!folded && (
        <nav className={css['menu']} aria-label={t('menu.main')}>
          {menu.map((item) => (
            <BarItem key={item.id} item={item} onAction={onAction} />
          ))}
        </nav>
      )}
      <span className={css['space']} />
      {search}
      {!phone && <FullScreenButton />}
      {bell}
      {account.entries.length > 0 && (
        <MenuButton
          look="person"
          name={t('menu.account', { name: account.name })}
          placement="bottom end"
          head={
            <span>
              {account.name}
              {account.detail !== undefined && (
                <>
                  {' · '}
                  <span className="num">{account.detail}</span>
                </>
              )}
            </span>
          }
          entries={account.entries}
          onAction={onAction}
        >
          <Icon name="user-circle-duotone" size="l" className={css['face']} />
          {!phone && (
            <>
              <span className={css['name']}>{account.name}</span>
              <Icon name="caret-down" size="s" />
            </>
          )}
        </MenuButton>
      )}
    </header>
  );
}

function BarItem({ item, onAction }: { readonly item: ToolbarItem; readonly onAction: (id: string) => void }) {
  if (item.items === undefined) {
    return (
      <button type="button" className={css['item']} aria-current={item.current || undefined} onClick={() => onAction(item.id)}>
        {item.label}
      </button>
    );
  }
  return (
    <MenuButton look="bar" current={item.items.some((inner) => inner.current)} entries={item.items} onAction={onAction}>
      <span>{item.label}</span>
      <Icon name="caret-down-bold" size="xs" />
    </MenuButton>
  );
}

function FullScreenButton() {
  const { full, possible, toggle } = useFullScreen();
  if (!possible) return null;
  return (
    <IconButton
      size="l"
      icon={full ? 'corners-in' : 'corners-out'}
      name={t(full ? 'menu.exitFullScreen' : 'menu.fullScreen')}
      onClick={toggle}
    />
  );
}

import type { Notification, UserInfo } from '@pergamin/contract';
import { useSyncExternalStore } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import { Toolbar, type ToolbarItem } from '#desktop/Toolbar.tsx';
import { focusedId } from '#desktop/windows.state.ts';
import { useUnreadReceived, useUnreadStatements } from '#features/received-documents/unread.queries.ts';
import { NotificationBell } from '#features/notifications/NotificationBell.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';
import { commandKey } from '#platform/command-key.ts';
import { t } from '#platform/language.ts';
import { preloadPalette } from './DeskDialogs.tsx';
import { accountMenu, allowedItems, mainMenu, type MenuItem, type Right } from './menu.ts';
import css from './PaletteButton.module.css';

interface DeskToolbarProps {
  readonly user: UserInfo;
  readonly desktop: Desktop;
  readonly rights: ReadonlySet<Right>;
  readonly onAction: (id: string) => void;
  readonly onNotification: (notification: Notification) => void;
}

export function DeskToolbar(props: DeskToolbarProps) {
  return props.rights.has('documents') ? <CountingToolbar {...props} /> : <RightfulToolbar {...props} newIn={{}} />;
}

/** Of documents only: they may not be asked for before the statute is accepted. */
function CountingToolbar(props: DeskToolbarProps) {
  const received = useUnreadReceived()?.count ?? 0;
  const statements = useUnreadStatements()?.count ?? 0;
  return <RightfulToolbar {...props} newIn={{ received, statements }} />;
}

interface RightfulToolbarProps extends DeskToolbarProps {
  /** How many documents are new behind an entry of the menu. */
  readonly newIn: Readonly<Record<string, number>>;
}

function RightfulToolbar({ user, desktop, rights, onAction, onNotification, newIn }: RightfulToolbarProps) {
  const front = useSyncExternalStore(desktop.subscribe, () => focusedId(desktop.getState()));
  const phone = usePhone();
  const barItem = ({ id, label, icon, items }: MenuItem): ToolbarItem => ({
    id,
    label: t(label),
    icon,
    current: front === id,
    // The drawer hides the tiles that count them elsewhere.
    ...(phone && newIn[id] !== undefined ? { badge: { count: newIn[id], label: t('dashboard.unread', { count: newIn[id] }) } } : {}),
    ...(items === undefined ? {} : { items: items.map(barItem) }),
  });
  const menu = allowedItems(mainMenu, rights).map(barItem);
  const entries = allowedItems(accountMenu, rights).flatMap(({ id, label, icon, keys, apart }): MenuEntry[] => [
    ...(apart ? [{ separator: id }] : []),
    { id, label: t(label), icon, keys },
  ]);
  return (
    <Toolbar
      // On a phone there is no room for the field: the drawer has it first.
      menu={phone && menu.length > 0 ? [{ id: 'palette', label: t('palette.title'), icon: 'magnifying-glass' }, ...menu] : menu}
      account={{ name: `${user.firstName} ${user.lastName}`, detail: user.personalId, entries }}
      onAction={onAction}
      search={!phone && rights.has('documents') && <PaletteButton onPress={() => onAction('palette')} />}
      bell={rights.has('documents') && <NotificationBell onOpen={onNotification} />}
    />
  );
}

/** Looks like a search field, and opens the palette, which is one. */
function PaletteButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <button
      type="button"
      className={css['field']}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onPointerEnter={preloadPalette}
      onFocus={preloadPalette}
      onClick={onPress}
    >
      <Icon name="magnifying-glass" size="s" />
      <span>{t('palette.title')}</span>
      {/* Said by aria-keyshortcuts: the keys are no part of the name, though what a style sheet draws would be. */}
      <kbd aria-hidden="true">{`${commandKey} K`}</kbd>
    </button>
  );
}

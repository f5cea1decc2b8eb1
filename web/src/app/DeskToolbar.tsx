import type { UserInfo } from '@pergamin/contract';
import { useSyncExternalStore } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import { Toolbar, type ToolbarItem } from '#desktop/Toolbar.tsx';
import { focusedId } from '#desktop/windows.state.ts';
import type { MenuEntry } from '#kit/menu-entry.ts';
import { brand } from '#platform/brand.ts';
import { t } from '#platform/language.ts';

interface DeskToolbarProps {
  readonly user: UserInfo;
  readonly desktop: Desktop;
  /** No menu at all: before the statute is accepted. */
  readonly empty: boolean;
  readonly onOpen: (kind: string) => void;
  readonly onLanguage: () => void;
  readonly onAppearance: () => void;
  readonly onPassword: (wanted: 'change' | 'reset') => void;
  readonly onLogout: () => void;
}

/** The menu of the workspace. */
export function DeskToolbar({ user, desktop, empty, onOpen, onLanguage, onAppearance, onPassword, onLogout }: DeskToolbarProps) {
  const front = useSyncExternalStore(desktop.subscribe, () => focusedId(desktop.getState()));
  const menu: readonly ToolbarItem[] = [
    {
      id: 'documents',
      label: t('menu.documents'),
      icon: 'folder-open',
      items: [{ id: 'received', label: t('documents.received'), icon: 'tray-arrow-down', current: front === 'received' }],
    },
  ];
  const entries: readonly MenuEntry[] = [
    { id: 'language', label: t('menu.selectLanguage'), icon: 'translate' },
    { id: 'appearance', label: t('menu.appearance'), icon: 'sun' },
    { separator: 'password' },
    { id: 'change-password', label: t('menu.changePassword'), icon: 'password' },
    { id: 'reset-password', label: t('menu.resetPassword'), icon: 'key' },
    { separator: 'end' },
    { id: 'logout', label: t('menu.logout'), icon: 'sign-out' },
  ];
  const actions: Record<string, () => void> = {
    language: onLanguage,
    appearance: onAppearance,
    'change-password': () => onPassword('change'),
    'reset-password': () => onPassword('reset'),
    logout: onLogout,
  };
  return (
    <Toolbar
      brand={brand()}
      menu={empty ? [] : menu}
      account={{ name: `${user.firstName} ${user.lastName}`, detail: user.personalId, entries: empty ? [] : entries }}
      onAction={(id) => (actions[id] ?? (() => onOpen(id)))()}
      texts={{
        menu: t('menu.main'),
        openMenu: t('menu.open'),
        closeMenu: t('menu.close'),
        account: (name) => t('menu.account', { name }),
        enterFullScreen: t('menu.fullScreen'),
        leaveFullScreen: t('menu.exitFullScreen'),
        openWindows: t('windows.openWindows'),
      }}
    />
  );
}

import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { TranslationKey } from '#platform/language.ts';

/** What the person may do here. Before the statute is accepted that is nothing (C1); afterwards every client may do all of it. */
export type Right = 'documents' | 'account' | 'portal';
export const everyRight: ReadonlySet<Right> = new Set<Right>(['documents', 'account', 'portal']);
export const noRight: ReadonlySet<Right> = new Set();

/** Something to be chosen: a window by its kind, or what `useDeskActions` does under this id. */
export interface MenuItem {
  readonly id: string;
  readonly label: TranslationKey;
  readonly icon: IconName;
  /** Hidden without this right (N6). */
  readonly required: Right;
  readonly items?: readonly MenuItem[];
  readonly keys?: string;
  /** A hairline above it. */
  readonly apart?: boolean;
}

/** The bar at the top, the drawer of a phone (N3). */
export const mainMenu: readonly MenuItem[] = [
  {
    id: 'documents',
    label: 'menu.documents',
    icon: 'folder-open',
    required: 'documents',
    items: [
      { id: 'received', label: 'documents.received', icon: 'tray-arrow-down', required: 'documents' },
      { id: 'sent', label: 'sent.title', icon: 'paper-plane-tilt', required: 'documents' },
      { id: 'verification', label: 'verify.title', icon: 'seal-check', required: 'documents' },
      { id: 'sending', label: 'sending.send', icon: 'upload-simple', required: 'documents' },
    ],
  },
  { id: 'public', label: 'publicView.title', icon: 'bank', required: 'documents' },
  { id: 'statements', label: 'statements.title', icon: 'receipt', required: 'documents' },
  { id: 'account', label: 'account.title', icon: 'user-circle', required: 'account' },
];

/** Behind the person's name. */
export const accountMenu: readonly MenuItem[] = [
  { id: 'account', label: 'account.title', icon: 'user-circle', required: 'account' },
  { id: 'change-password', label: 'menu.changePassword', icon: 'lock-key', required: 'account' },
  { id: 'reset-password', label: 'menu.resetPassword', icon: 'key', required: 'account' },
  { id: 'language', label: 'menu.selectLanguage', icon: 'translate', required: 'portal', apart: true },
  { id: 'appearance', label: 'menu.appearance', icon: 'sun', required: 'portal' },
  { id: 'whats-new', label: 'whatsNew.title', icon: 'newspaper', required: 'portal' },
  { id: 'accessibility', label: 'accessibility.title', icon: 'person-simple-circle', required: 'portal' },
  { id: 'shortcuts', label: 'menu.shortcuts', icon: 'keyboard', required: 'portal', keys: '?' },
  { id: 'logout', label: 'menu.logout', icon: 'sign-out', required: 'portal', apart: true },
];

export const allowedItems = (items: readonly MenuItem[], rights: ReadonlySet<Right>): readonly MenuItem[] =>
  items.flatMap((item) => {
    if (!rights.has(item.required)) return [];
    if (item.items === undefined) return [item];
    const inner = allowedItems(item.items, rights);
    return inner.length === 0 ? [] : [{ ...item, items: inner }];
  });

/** Everything that can be chosen, each once, without the groups. */
export const flatItems = (items: readonly MenuItem[]): readonly MenuItem[] => {
  const all = items.flatMap((item) => item.items ?? [item]);
  return all.filter((item, i) => all.findIndex(({ id }) => id === item.id) === i);
};

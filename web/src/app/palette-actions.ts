import type { Desktop } from '#desktop/desktop.store.ts';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { PaletteItem } from '#kit/overlays/Palette.tsx';
import { currentAppearance } from '#platform/appearance.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { t, type TranslationKey } from '#platform/language.ts';
import { accountMenu, allowedItems, flatItems, mainMenu, type Right } from './menu.ts';

interface Action {
  readonly id: string;
  readonly label: TranslationKey;
  readonly icon: IconName;
  readonly keys?: string;
}

/** Everything the menus can do, and what has no menu: tidy windows, another theme, other rows. */
export const paletteActions = (rights: ReadonlySet<Right>, desktop: Desktop): readonly PaletteItem[] => {
  const menus = flatItems(allowedItems([...mainMenu, ...accountMenu], rights));
  const last = menus.findIndex(({ id }) => id === 'logout');
  const actions: readonly Action[] = [...menus.slice(0, last), ...furtherActions(desktop), ...menus.slice(last)];
  return actions.map(({ id, label, icon, keys }) => ({ id: `action ${id}`, label: t(label), face: { icon }, keys }));
};

/** Does what an action of the palette says: `onAction` knows those of the menus. */
export const runPaletteAction = (id: string, onAction: (id: string) => void): void => {
  const look = lookActions.find((action) => action.id === id);
  if (look === undefined) onAction(id);
  else chooseAppearance(look.of, look.choice);
};

/** Other colours, rows and places of windows: choices of the dialog, each in one step. */
const lookActions = (
  [
    { of: 'theme', choice: 'light', label: 'palette.light', icon: 'sun' },
    { of: 'theme', choice: 'dark', label: 'palette.dark', icon: 'moon' },
    { of: 'theme', choice: 'system', label: 'palette.system', icon: 'monitor' },
    { of: 'density', choice: 'comfortable', label: 'palette.comfortable', icon: 'rows' },
    { of: 'density', choice: 'compact', label: 'palette.compact', icon: 'rows' },
    { of: 'arrangement', choice: 'windows', label: 'palette.floating', icon: 'columns' },
    { of: 'arrangement', choice: 'beside', label: 'palette.beside', icon: 'columns' },
  ] as const
).map((action) => ({ ...action, id: `${action.of}-${action.choice}` }));

/** Only what would change something now. */
const furtherActions = (desktop: Desktop): readonly Action[] => [
  ...(desktop.getState().windows.length > 1 ? [{ id: 'tidy', label: 'windows.tidy', icon: 'squares-four' } as const] : []),
  ...lookActions.filter(({ of, choice }) => currentAppearance(of) !== choice),
];

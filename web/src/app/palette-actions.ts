import type { Desktop } from '#desktop/desktop.store.ts';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { PaletteItem } from '#kit/overlays/PaletteOption.tsx';
import { currentAppearance } from '#platform/appearance.ts';
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

/** Only what would change something now. */
const furtherActions = (desktop: Desktop): readonly Action[] => {
  const theme = currentAppearance('theme');
  const themes: readonly Action[] = [
    { id: 'theme-light', label: 'palette.light', icon: 'sun' },
    { id: 'theme-dark', label: 'palette.dark', icon: 'moon' },
    { id: 'theme-system', label: 'palette.system', icon: 'monitor' },
  ];
  const isBeside = currentAppearance('arrangement') === 'beside';
  return [
    ...(desktop.getState().windows.length > 1 ? [{ id: 'tidy', label: 'windows.tidy', icon: 'squares-four' } as const] : []),
    ...themes.filter(({ id }) => id !== `theme-${theme}`),
    currentAppearance('density') === 'compact'
      ? { id: 'density-comfortable', label: 'palette.comfortable', icon: 'rows' }
      : { id: 'density-compact', label: 'palette.compact', icon: 'rows' },
    isBeside
      ? { id: 'arrangement-windows', label: 'palette.floating', icon: 'columns' }
      : { id: 'arrangement-beside', label: 'palette.beside', icon: 'columns' },
  ];
};

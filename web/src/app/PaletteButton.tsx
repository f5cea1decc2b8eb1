import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import { commandKey } from '#platform/command-key.ts';
import css from './PaletteButton.module.css';
import { preloadPalette } from './DeskDialogs.tsx';

/** Looks like a search field, and opens the palette, which is one. */
export function PaletteButton({ onPress }: { readonly onPress: () => void }) {
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

import { useState } from 'react';
import { Button } from '#kit/Button.tsx';
import { Dialog } from '#kit/Dialog.tsx';
import { Icon } from '#kit/Icon.tsx';
import type { IconName } from '#kit/icon-names.ts';
import { t, type TranslationKey } from '#platform/language.ts';
import { chooseTheme, currentTheme, themes, type Theme } from '#platform/theme.ts';
import css from './AppearanceDialog.module.css';

const widthPx = 400;

const faces: Record<Theme, { readonly label: TranslationKey; readonly icon: IconName }> = {
  light: { label: 'theme.light', icon: 'sun' },
  dark: { label: 'theme.dark', icon: 'moon' },
  system: { label: 'theme.system', icon: 'square-half' },
};

/** Light, dark or as the device has it; at once, without a further press. */
export function AppearanceDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState(currentTheme);
  return (
    <Dialog
      title={t('theme.title')}
      width={widthPx}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          {t('dialog.ok')}
        </Button>
      }
    >
      <fieldset className={css['choices']}>
        <legend className="visually-hidden">{t('theme.title')}</legend>
        {themes.map((theme) => (
          <label key={theme} className={css['choice']}>
            <input
              type="radio"
              name="theme"
              checked={theme === chosen}
              onChange={() => {
                chooseTheme(theme);
                setChosen(theme);
              }}
            />
            <Icon name={faces[theme].icon} />
            {t(faces[theme].label)}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}

import { useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { ChoiceCards } from '#kit/forms/ChoiceCards.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { appearances, currentAppearance, type Appearance, type AppearanceChoice } from '#platform/appearance.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { t, type TranslationKey } from '#platform/language.ts';

const widthPx = 560;

type Faces<A extends Appearance> = Record<AppearanceChoice<A>, { readonly label: TranslationKey; readonly icon?: IconName }>;

const themes: Faces<'theme'> = {
  system: { label: 'theme.system' },
  light: { label: 'theme.light', icon: 'sun' },
  dark: { label: 'theme.dark', icon: 'moon' },
};
const contrasts: Faces<'contrast'> = {
  system: { label: 'theme.system' },
  more: { label: 'theme.highContrast', icon: 'circle-half' },
};
const densities: Faces<'density'> = { comfortable: { label: 'theme.comfortable' }, compact: { label: 'theme.compact' } };
const motions: Faces<'motion'> = {
  system: { label: 'theme.system' },
  reduced: { label: 'theme.reducedMotion' },
};

const arrangements: Faces<'arrangement'> = {
  windows: { label: 'theme.floating', icon: 'squares-four' },
  beside: { label: 'theme.beside', icon: 'columns' },
};

/** Colours, contrast, rows of lists and motion: as the device has them, or as the customer wants them; at once, without a further press. */
export function AppearanceDialog({ onClose }: { readonly onClose: () => void }) {
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
      <Choice of="theme" label="theme.colours" faces={themes} />
      <Choice of="contrast" label="theme.contrast" faces={contrasts} />
      <Choice of="density" label="theme.density" faces={densities} />
      <Choice of="arrangement" label="theme.arrangement" faces={arrangements} />
      <Choice of="motion" label="theme.motion" faces={motions} />
    </Dialog>
  );
}

interface ChoiceProps<A extends Appearance> {
  readonly of: A;
  readonly label: TranslationKey;
  readonly faces: Faces<A>;
}

function Choice<A extends Appearance>({ of, label, faces }: ChoiceProps<A>) {
  const [chosen, setChosen] = useState(() => currentAppearance(of));
  const choices: readonly AppearanceChoice<A>[] = appearances[of];
  return (
    <ChoiceCards
      label={t(label)}
      value={chosen}
      options={choices.map((id) => {
        const { label: words, icon } = faces[id];
        return { id, label: t(words), ...(icon === undefined ? {} : { icon }) };
      })}
      onChange={(choice) => {
        chooseAppearance(of, choice);
        setChosen(choice);
      }}
    />
  );
}

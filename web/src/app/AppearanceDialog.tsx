import { useState } from 'react';
import { ChoiceCards } from '#kit/forms/ChoiceCards.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { appearances, currentAppearance, type AppearanceChoice } from '#platform/appearance.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { t, type TranslationKey } from '#platform/language.ts';

type Chosen = 'theme' | 'contrast' | 'density' | 'arrangement' | 'motion';

const faces: Record<AppearanceChoice<Chosen>, { readonly label: TranslationKey; readonly icon?: IconName }> = {
  system: { label: 'theme.system' },
  light: { label: 'theme.light', icon: 'sun' },
  dark: { label: 'theme.dark', icon: 'moon' },
  more: { label: 'theme.highContrast', icon: 'circle-half' },
  comfortable: { label: 'theme.comfortable' },
  compact: { label: 'theme.compact' },
  windows: { label: 'theme.floating', icon: 'squares-four' },
  beside: { label: 'theme.beside', icon: 'columns' },
  reduced: { label: 'theme.reducedMotion' },
};

/** Colours, contrast, rows of lists and motion: as the device has them, or as the customer wants them; at once, without a further press. */
export function AppearanceDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('theme.title')} width={560} onClose={onClose}>
      <Choice of="theme" label="theme.colours" />
      <Choice of="contrast" label="theme.contrast" />
      <Choice of="density" label="theme.density" />
      <Choice of="arrangement" label="theme.arrangement" />
      <Choice of="motion" label="theme.motion" />
    </Dialog>
  );
}

function Choice({ of, label }: { readonly of: Chosen; readonly label: TranslationKey }) {
  const [chosen, setChosen] = useState(() => currentAppearance(of));
  return (
    <ChoiceCards
      label={t(label)}
      value={chosen}
      options={appearances[of].map((id) => ({ ...faces[id], id, label: t(faces[id].label) }))}
      onChange={(choice) => {
        chooseAppearance(of, choice);
        setChosen(choice);
      }}
    />
  );
}

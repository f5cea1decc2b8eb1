import { t } from '#platform/language.ts';

/** Keys that are pressed together, as they are written on the keys, and what they do. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly text: () => string;
}

const arrows = '← ↑ → ↓';

export const windowShortcuts = (): readonly Shortcut[] => [
  { keys: ['F6'], text: () => t('windows.keyNextPart') },
  { keys: ['Shift', 'F6'], text: () => t('windows.keyPreviousPart') },
  { keys: ['M'], text: () => t('windows.keyMove') },
  { keys: ['S'], text: () => t('windows.keyResize') },
  { keys: ['X'], text: () => t('windows.keyMaximise') },
  { keys: ['T'], text: () => t('windows.keyTidy') },
  { keys: ['Shift', arrows], text: () => t('windows.keySnap') },
  { keys: ['Delete'], text: () => t('windows.keyClose') },
  { keys: ['Shift', 'F10'], text: () => t('windows.keyMenu') },
  { keys: [arrows], text: () => t('windows.keySteps') },
  { keys: ['Shift', arrows], text: () => t('windows.keyFineSteps') },
  { keys: ['Enter'], text: () => t('windows.keyKeep') },
  { keys: ['Esc'], text: () => t('windows.keyUndo') },
];

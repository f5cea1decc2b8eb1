import { windowLimits } from '@pergamin/contract';
import { useEffect } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import type { Rect } from '#desktop/geometry.ts';
import { currentAppearance } from '#platform/appearance.ts';
import { chooseAppearance, isOffered, noteOffered } from '#platform/choose-appearance.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';

const overlap = (a: Rect, b: Rect): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Offers once to have documents beside their list, when a second window covers the first one. */
export function useBesideOffer(desktop: Desktop, allowed: boolean): void {
  useEffect(() => {
    if (!allowed || isOffered('beside') || currentAppearance('arrangement') === 'beside') return undefined;
    const stop = desktop.subscribe(() => {
      const { windows } = desktop.getState();
      const [first, second] = windows;
      if (first === undefined || second === undefined || windows.length > 2 || innerWidth < windowLimits.mobileBelowPx) return;
      if (desktop.kindOf(second.kind).single || first.maximised) return;
      if (!overlap(desktop.geometry.rectOf(first.id), desktop.geometry.rectOf(second.id))) return;
      stop();
      noteOffered('beside');
      emit('alert', {
        tone: 'info',
        title: t('windows.besideOffer'),
        action: {
          label: t('theme.beside'),
          run: () => {
            chooseAppearance('arrangement', 'beside');
            if (desktop.getState().windows.length === 2) desktop.tidy();
          },
        },
      });
    });
    return stop;
  }, [desktop, allowed]);
}

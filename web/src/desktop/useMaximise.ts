import { useSyncExternalStore } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { useDesktop } from './desktop.context.ts';
import { type Point, type SnapZone, type Spot, spotToward } from './geometry.ts';
import type { OpenWindow } from './windows.state.ts';

export type SizeActions = ReturnType<typeof useMaximise>;

/** Full size and back, halves and quarters; every result is said. */
export function useMaximise(window: OpenWindow) {
  const desktop = useDesktop();
  const { geometry } = desktop;
  const zone = useSyncExternalStore(geometry.onKept, () => geometry.findPlace(window.id)?.zone);
  const spot: Spot = window.maximised ? 'full' : (zone ?? 'free');
  const title = desktop.titleOf(window);

  const maximise = () => {
    desktop.maximise(window.id);
    announce(t('windows.maximised', { title }));
  };
  const snap = (to: SnapZone) => {
    desktop.snap(window.id, to);
    announce(t('windows.snappedTo', { title, place: t(`windows.place.${to}`) }));
  };
  /** From full size or a zone back to its own place. */
  const loosen = () => {
    desktop.loosen(window.id);
    announce(t('windows.restored', { title }));
  };
  /** One step towards a half, a quarter, full size or free. */
  const step = (direction: Point) => {
    const next = spotToward(spot, direction);
    if (next === spot) return;
    if (next === 'free') loosen();
    else if (next === 'full') maximise();
    else snap(next);
  };
  return { spot, maximise, snap, loosen, step, toggle: window.maximised ? loosen : maximise };
}

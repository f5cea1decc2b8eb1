import { windowLimits } from '@pergamin/contract';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { announce } from '#kit/Announcer.tsx';
import { useDesktop, useDesktopTexts } from './desktop.context.ts';
import { moveBy, type Point, resizeBy } from './geometry.ts';
import type { Place } from './geometry.store.ts';
import type { OpenWindow } from './windows.state.ts';

export type KeyMode = 'move' | 'resize';

export interface WindowKeys {
  readonly mode: KeyMode | undefined;
  readonly begin: (mode: KeyMode) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onBlur: () => void;
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Moves and resizes by arrow keys (Shift: 1 px), Enter keeps, Escape puts back. The handlers belong on the focused title. */
export function useWindowKeys(window: OpenWindow): WindowKeys {
  const { geometry, release, titleOf } = useDesktop();
  const texts = useDesktopTexts();
  const [mode, setMode] = useState<KeyMode>();
  const before = useRef<Place>(undefined);

  const begin = (next: KeyMode) => {
    before.current = geometry.findPlace(window.id);
    // A snapped or full window is taken as it stands and becomes free.
    release(window.id, geometry.rectOf(window.id));
    setMode(next);
    announce(next === 'move' ? texts.movingHint : texts.resizingHint);
  };
  const end = (kept: boolean) => {
    if (mode === undefined) return;
    setMode(undefined);
    const rect = geometry.rectOf(window.id);
    if (!kept && before.current) geometry.put(window.id, before.current);
    const title = titleOf(window);
    const done = mode === 'move' ? texts.said.moved(title) : texts.said.resized(title, rect.width, rect.height);
    announce(kept ? done : texts.said.cancelled);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (mode === undefined) return;
    const direction = directions[event.key];
    if (direction) {
      const step = event.shiftKey ? windowLimits.keyboardFineStepPx : windowLimits.keyboardStepPx;
      const delta = { x: direction.x * step, y: direction.y * step };
      const rect = geometry.rectOf(window.id);
      const surface = geometry.surface();
      geometry.put(window.id, { free: mode === 'move' ? moveBy(rect, delta, surface) : resizeBy({ rect, edge: 'se', delta, surface }) });
    } else if (event.key === 'Enter' || event.key === 'Escape') end(event.key === 'Enter');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { mode, begin, onKeyDown, onBlur: () => end(true) };
}

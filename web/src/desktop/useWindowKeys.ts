import { windowLimits } from '@pergamin/contract';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { useDesktop } from './desktop.context.ts';
import { moveBy, type Point, resizeBy } from './geometry.ts';
import type { OpenWindow } from './windows.state.ts';

export type WindowKeys = ReturnType<typeof useWindowKeys>;

export const arrowDirections: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Arrow keys move or resize (Shift: 1 px), Enter keeps, Escape puts back; `giveBack` takes the focus from what has these handlers. */
export function useWindowKeys(window: OpenWindow, giveBack: () => void) {
  const { geometry, hold, release, titleOf } = useDesktop();
  const [mode, setMode] = useState<'move' | 'resize'>();
  const running = useRef<{ readonly mode: 'move' | 'resize'; readonly putBack: () => void }>(undefined);

  const begin = (next: 'move' | 'resize') => {
    running.current = { mode: next, putBack: hold(window.id) };
    // A snapped or full window is taken as it stands and becomes free.
    release(window.id, geometry.rectOf(window.id));
    setMode(next);
  };
  const end = (kept: boolean) => {
    const ending = running.current;
    if (ending === undefined) return;
    running.current = undefined;
    setMode(undefined);
    if (!kept) {
      ending.putBack();
      announce(t('windows.cancelled'));
      return;
    }
    const { x, y, width, height } = geometry.rectOf(window.id);
    const title = titleOf(window);
    announce(
      ending.mode === 'move'
        ? t('windows.moved', { title, x: Math.round(x), y: Math.round(y) })
        : t('windows.resized', { title, width, height }),
    );
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const direction = arrowDirections[event.key];
    if (running.current === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (direction) {
      const step = event.shiftKey ? windowLimits.keyboardFineStepPx : windowLimits.keyboardStepPx;
      const delta = { x: direction.x * step, y: direction.y * step };
      const rect = geometry.rectOf(window.id);
      const surface = geometry.surface();
      const moves = running.current.mode === 'move';
      geometry.moveTo(window.id, moves ? moveBy(rect, delta, surface) : resizeBy({ rect, edge: 'se', delta, surface }));
    } else if (event.key === 'Enter' || event.key === 'Escape') {
      end(event.key === 'Enter');
      giveBack();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { mode, begin, onKeyDown, onBlur: () => end(true) };
}

import type { PointerEvent } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { useDesktop } from './desktop.context.ts';
import { type Edge, type Point, resizeBy } from './geometry.ts';
import { trackPointer } from './pointer-track.ts';

/** Pulls an edge or a corner of a window; Escape puts it back. */
export function useResize(id: string): (edge: Edge, event: PointerEvent<HTMLElement>) => void {
  const { geometry, hold } = useDesktop();
  return (edge, event) => {
    if (event.button !== 0) return;
    const start: Point = { x: event.clientX, y: event.clientY };
    const before = geometry.findPlace(id);
    const putBack = hold(id);
    const rect = geometry.rectOf(id);
    let last = rect;
    trackPointer(event, {
      onMove: (point) => {
        last = resizeBy({ rect, edge, delta: { x: point.x - start.x, y: point.y - start.y }, surface: geometry.surface() });
        geometry.draw(id, last, { size: true });
      },
      onEnd: (kept) => {
        // Nothing was pulled, or the window was closed meanwhile.
        if (last === rect || !before || geometry.findPlace(id) !== before) return;
        if (kept) return geometry.moveTo(id, last);
        putBack();
        announce(t('windows.cancelled'));
      },
    });
  };
}

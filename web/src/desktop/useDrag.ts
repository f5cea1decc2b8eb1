import type { PointerEvent } from 'react';
import { useDesktop, useDesktopTexts } from './desktop.context.ts';
import { type DropZone, dropZoneAt, moveBy, type Point } from './geometry.ts';
import { trackPointer } from './pointer-track.ts';
import { announce } from '#kit/Announcer.tsx';

const threshold = 4;

/** Drags a window by its title bar. While it moves only `transform` is written: no render, no layout. */
export function useDrag(id: string, enabled: boolean): (event: PointerEvent<HTMLElement>) => void {
  const desktop = useDesktop();
  const texts = useDesktopTexts();
  return (event) => {
    if (!enabled || event.button !== 0 || (event.target instanceof Element && event.target.closest('button, input, a'))) return;
    const frame = event.currentTarget.closest('section');
    const surfaceBox = frame?.parentElement?.getBoundingClientRect();
    if (!frame || !surfaceBox) return;
    const { geometry } = desktop;
    const start: Point = { x: event.clientX, y: event.clientY };
    const before = geometry.findPlace(id);
    const wasMaximised = desktop.getState().windows.some((window) => window.id === id && window.maximised);
    let origin = geometry.rectOf(id);
    let moving = false;
    let zone: DropZone | undefined;

    const lift = () => {
      moving = true;
      frame.dataset['dragging'] = '';
      if (!before || (!wasMaximised && before.zone === undefined)) return;
      // A full or snapped window gets its free size back, under the pointer at the same part of its title bar.
      const seen = frame.getBoundingClientRect();
      const share = (start.x - seen.x) / seen.width;
      origin = { ...before.free, x: start.x - surfaceBox.x - share * before.free.width, y: seen.y - surfaceBox.y };
      desktop.release(id, origin);
    };
    const rectAt = (point: Point) => moveBy(origin, { x: point.x - start.x, y: point.y - start.y }, geometry.surface());
    let last = origin;

    trackPointer(event, {
      onMove: (point) => {
        if (!moving && Math.hypot(point.x - start.x, point.y - start.y) < threshold) return;
        if (!moving) lift();
        last = rectAt(point);
        geometry.draw(id, last, { size: false });
        zone = dropZoneAt({ x: point.x - surfaceBox.x, y: point.y - surfaceBox.y }, geometry.surface());
        geometry.preview(zone);
      },
      onEnd: (kept) => {
        geometry.preview(undefined);
        delete frame.dataset['dragging'];
        if (!moving) return;
        if (!kept) {
          if (before) geometry.put(id, before);
          if (wasMaximised) desktop.maximise(id);
          announce(texts.said.cancelled);
        } else if (zone === 'full') {
          if (before) geometry.put(id, { free: before.free });
          desktop.maximise(id);
        } else if (zone === undefined) geometry.put(id, { free: last });
        else desktop.snap(id, zone);
      },
    });
  };
}

import type { PointerEvent } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { useDesktop } from './desktop.context.ts';
import { type DropZone, dropZoneAt, keepReachable, moveBy, type Point } from './geometry.ts';
import { trackPointer } from './pointer-track.ts';
import type { SizeActions } from './useMaximise.ts';
import type { OpenWindow } from './windows.state.ts';

const threshold = 4;

/** Drags a window by its title bar. While it moves only `transform` is written: no render, no layout. */
export function useDrag({ id, maximised }: OpenWindow, size: SizeActions): (event: PointerEvent<HTMLElement>) => void {
  const desktop = useDesktop();
  return (event) => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button, input, a'))) return;
    const frame = event.currentTarget.closest('section');
    const surfaceBox = frame?.parentElement?.getBoundingClientRect();
    if (!frame || !surfaceBox || frame.dataset['dragging'] !== undefined) return;
    const { geometry } = desktop;
    const start: Point = { x: event.clientX, y: event.clientY };
    const before = geometry.findPlace(id);
    const putBack = desktop.hold(id);
    let origin = geometry.rectOf(id);
    let moving = false;
    let zone: DropZone | undefined;

    const lift = () => {
      moving = true;
      frame.dataset['dragging'] = '';
      geometry.coverUp(desktop.getState().order.filter((other) => other !== id));
      if (!before || (!maximised && before.zone === undefined)) return;
      // A full or snapped window gets its free size back, under the pointer at the same part of its title bar.
      const seen = frame.getBoundingClientRect();
      const share = (start.x - seen.x) / seen.width;
      const free = keepReachable(before.free, geometry.surface());
      origin = { ...free, x: start.x - surfaceBox.x - share * free.width, y: seen.y - surfaceBox.y };
      desktop.release(id, origin);
    };
    let last = origin;

    const drop = (kept: boolean) => {
      // Closed meanwhile, by its content or by the end of the session: there is nothing to put anywhere.
      if (!moving || geometry.findPlace(id) === undefined) return;
      if (!kept) {
        putBack();
        announce(t('windows.cancelled'));
      } else if (zone === undefined) geometry.moveTo(id, last);
      else {
        // Keeps the free place of before, but leaves the window where it was let go: from there it travels to its zone.
        if (before) geometry.put(id, { free: before.free });
        geometry.draw(id, last, { size: false });
        if (zone === 'full') size.maximise();
        else size.snap(zone);
      }
    };
    trackPointer(event, {
      onMove: (point) => {
        if (!moving && Math.hypot(point.x - start.x, point.y - start.y) < threshold) return;
        if (!moving) lift();
        last = moveBy(origin, { x: point.x - start.x, y: point.y - start.y }, geometry.surface());
        geometry.draw(id, last, { size: false });
        zone = dropZoneAt({ x: point.x - surfaceBox.x, y: point.y - surfaceBox.y }, geometry.surface());
        geometry.preview(zone ?? 'none');
      },
      onEnd: (kept) => {
        geometry.endPreview();
        geometry.uncover();
        delete frame.dataset['dragging'];
        drop(kept);
      },
    });
  };
}

import type { PointerEvent } from 'react';
import type { Point } from './geometry.ts';

export interface PointerTrack {
  /** At most once per frame, with the pointer's place in the page. */
  readonly onMove: (point: Point) => void;
  /** `kept` is false after Escape or a lost pointer: put everything back. */
  readonly onEnd: (kept: boolean) => void;
}

/** Follows a pressed pointer until it is let go, wherever it goes; Escape cancels. */
export function trackPointer(event: PointerEvent<HTMLElement>, { onMove, onEnd }: PointerTrack): void {
  const element: HTMLElement = event.currentTarget;
  const ended = new AbortController();
  const { signal } = ended;
  let latest: Point | undefined;
  let frame = 0;
  const flush = () => {
    frame = 0;
    if (latest) onMove(latest);
    latest = undefined;
  };
  const end = (kept: boolean) => {
    if (signal.aborted) return;
    ended.abort();
    cancelAnimationFrame(frame);
    if (kept) flush();
    onEnd(kept);
    if (element.hasPointerCapture(event.pointerId)) element.releasePointerCapture(event.pointerId);
  };
  element.setPointerCapture(event.pointerId);
  element.addEventListener(
    'pointermove',
    (move) => {
      latest = { x: move.clientX, y: move.clientY };
      frame ||= requestAnimationFrame(flush);
    },
    { signal },
  );
  element.addEventListener('pointerup', () => end(true), { signal });
  element.addEventListener('pointercancel', () => end(false), { signal });
  element.addEventListener('lostpointercapture', () => end(false), { signal });
  addEventListener(
    'keydown',
    (key) => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
      key.stopPropagation();
      end(false);
    },
    { signal, capture: true },
  );
}

import type { PointerEvent as ReactPointerEvent } from 'react';
import type { Point } from './geometry.ts';

export interface PointerTrack {
  /** With the pointer's place in the page. Browsers tell of it once per frame: asking for a frame of our own would be a second one. */
  readonly onMove: (point: Point) => void;
  /** `kept` is false after Escape or a lost pointer: put everything back. */
  readonly onEnd: (kept: boolean) => void;
}

/** Follows a pressed pointer until it is let go, wherever it goes; Escape cancels. A second finger changes nothing. */
export function trackPointer(event: ReactPointerEvent<HTMLElement>, { onMove, onEnd }: PointerTrack): void {
  if (!event.isPrimary) return;
  const { currentTarget: element, pointerId } = event;
  const ended = new AbortController();
  const end = (kept: boolean) => {
    if (ended.signal.aborted) return;
    ended.abort();
    onEnd(kept);
    if (element.hasPointerCapture(pointerId)) element.releasePointerCapture(pointerId);
  };
  // At the document: when the element is removed, that is where the loss of its pointer is told.
  const listening = { signal: ended.signal, capture: true };
  const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel' | 'lostpointercapture', act: (at: PointerEvent) => void) =>
    document.addEventListener(type, (at) => at.pointerId === pointerId && act(at), listening);
  element.setPointerCapture(pointerId);
  listen('pointermove', (move) => {
    // React listens to everything and would look for handlers each time.
    move.stopPropagation();
    onMove({ x: move.clientX, y: move.clientY });
  });
  document.addEventListener('mousemove', (shadow) => shadow.stopPropagation(), listening);
  listen('pointerup', () => end(true));
  listen('pointercancel', () => end(false));
  listen('lostpointercapture', () => end(false));
  const handleKey = (key: KeyboardEvent) => {
    if (key.key !== 'Escape') return;
    key.preventDefault();
    key.stopPropagation();
    end(false);
  };
  addEventListener('keydown', handleKey, listening);
}

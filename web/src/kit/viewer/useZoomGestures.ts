import { useEffect } from 'react';
import { useLatest } from '#kit/hooks/useLatest.ts';
import type { Place } from './usePagesInView.ts';

interface GestureOptions {
  readonly percent: number;
  /** `place` stays under the pointer, or between the fingers. */
  readonly onZoom: (percent: number, place: Place) => void;
}

/** How much a notch of a wheel enlarges; a pinch on a touchpad comes as many small ones. */
const growthPerPx = 0.0025;
const mostPxAtOnce = 60;

const placeIn = (surface: HTMLElement, { x, y }: Place): Place => {
  const box = surface.getBoundingClientRect();
  return { x: x - box.left, y: y - box.top };
};

const between = ([one, other]: readonly [Touch, Touch]): { readonly distance: number; readonly middle: Place } => ({
  distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
  middle: { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 },
});

const twoOf = ({ touches }: TouchEvent): readonly [Touch, Touch] | undefined => {
  const [one, other] = touches;
  return one !== undefined && other !== undefined && touches.length === 2 ? [one, other] : undefined;
};

/** Ctrl and the wheel, a pinch on a touchpad, two fingers on the screen; at most once a frame. */
export function useZoomGestures(surface: HTMLElement | null, { percent, onZoom }: GestureOptions): void {
  const percentNow = useLatest(() => percent);
  const zoomTo = useLatest(onZoom);
  useEffect(() => {
    if (surface === null) return undefined;
    let wanted: { percent: number; place: Place } | undefined;
    let frame = 0;
    let pinch: { readonly distance: number; readonly percent: number } | undefined;
    const apply = (): void => {
      frame = 0;
      if (wanted !== undefined) zoomTo(wanted.percent, wanted.place);
      wanted = undefined;
    };
    const want = (next: number, at: Place): void => {
      wanted = { percent: next, place: placeIn(surface, at) };
      if (frame === 0) frame = requestAnimationFrame(apply);
    };
    const handleWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 20;
      const px = Math.max(-mostPxAtOnce, Math.min(mostPxAtOnce, lines));
      want((wanted?.percent ?? percentNow()) * Math.exp(-px * growthPerPx), { x: event.clientX, y: event.clientY });
    };
    const handleTouch = (event: TouchEvent): void => {
      const two = twoOf(event);
      if (two === undefined) {
        pinch = undefined;
        return;
      }
      event.preventDefault();
      const { distance, middle } = between(two);
      if (event.type === 'touchstart' || pinch === undefined) pinch = { distance: Math.max(1, distance), percent: percentNow() };
      else want((pinch.percent * distance) / pinch.distance, middle);
    };
    const touches = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const;
    surface.addEventListener('wheel', handleWheel, { passive: false });
    for (const type of touches) surface.addEventListener(type, handleTouch, { passive: false });
    return () => {
      cancelAnimationFrame(frame);
      surface.removeEventListener('wheel', handleWheel);
      for (const type of touches) surface.removeEventListener(type, handleTouch);
    };
  }, [surface, percentNow, zoomTo]);
}

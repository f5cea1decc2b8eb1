import { viewerLimits } from '@pergamin/contract';
import { useLayoutEffect, useState } from 'react';
import type { Room } from './page-layout.ts';

const sideMarginPx = 24;
const phoneSideMarginPx = 12;
/** Narrower than this the pages' margins are a phone's. */
const narrowPx = 520;

const roomOf = (element: HTMLElement): Room => {
  const side = element.clientWidth < narrowPx ? phoneSideMarginPx : sideMarginPx;
  return {
    width: Math.max(1, element.clientWidth - 2 * side),
    height: Math.max(1, element.clientHeight - 2 * viewerLimits.bottomMarginPx),
    gap: side,
  };
};

const isSame = (one: Room, other: Room): boolean => one.width === other.width && one.height === other.height && one.gap === other.gap;

/** The room for a page inside the margins; follows resizing once it has rested (F3). A hidden surface keeps the room it had. */
export function useRoom(container: HTMLElement | null): Room | undefined {
  const [room, setRoom] = useState<Room>();
  useLayoutEffect(() => {
    if (container === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMeasured = false;
    const measure = (): void => {
      if (container.clientWidth === 0) return;
      isMeasured = true;
      const now = roomOf(container);
      setRoom((before) => (before !== undefined && isSame(before, now) ? before : now));
    };
    // At once, so that the pages are in the first picture.
    measure();
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      if (isMeasured) timer = setTimeout(measure, viewerLimits.resizeDebounceMs);
      else measure();
    });
    observer.observe(container);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [container]);
  return room;
}

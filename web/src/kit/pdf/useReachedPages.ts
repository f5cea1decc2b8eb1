import { useCallback, useEffect, useEffectEvent } from 'react';
import { oncePerFrame } from '#kit/viewer/zoom-gestures.ts';
import { passedShare, slackPx } from '#kit/viewer/viewport.ts';

/** Tells each drawn page whose end lies in view, by the rules of the viewer; `look` is to be called when another page was drawn. */
export function useReachedPages(surface: HTMLElement | null, onReach: ((page: number) => void) | undefined): { readonly look: () => void } {
  const tell = useEffectEvent((): void => {
    if (surface !== null && onReach !== undefined) for (const page of pagesReached(surface)) onReach(page);
  });
  useEffect(() => {
    if (surface === null) return undefined;
    const { schedule, cancel } = oncePerFrame(tell);
    const observer = new ResizeObserver(schedule);
    observer.observe(surface);
    surface.addEventListener('scroll', schedule, { passive: true });
    surface.addEventListener(drawnEvent, schedule);
    // A window that comes back into reach moves no page, but it moves the focus.
    document.addEventListener('focusin', schedule);
    return () => {
      cancel();
      observer.disconnect();
      surface.removeEventListener('scroll', schedule);
      surface.removeEventListener(drawnEvent, schedule);
      document.removeEventListener('focusin', schedule);
    };
  }, [surface]);
  const look = useCallback(() => surface?.dispatchEvent(new Event(drawnEvent)), [surface]);
  return { look };
}

const drawnEvent = 'pagedrawn';

const pagesReached = (surface: HTMLElement): readonly number[] => {
  if (!surface.checkVisibility({ visibilityProperty: true }) || surface.closest('[inert]') !== null) return [];
  const view = surface.getBoundingClientRect();
  const sheets = [...surface.querySelectorAll('[data-pdf-page]')];
  const isAtEnd = surface.scrollTop + surface.clientHeight >= surface.scrollHeight - slackPx;
  return sheets.flatMap((sheet) => {
    const { top, bottom } = sheet.getBoundingClientRect();
    const isSeen = top < view.bottom && bottom > view.top;
    const isPassed = bottom <= view.bottom + slackPx && bottom >= view.top + view.height * passedShare;
    const isReached = isSeen && (isAtEnd || sheets.length === 1 || isPassed) && sheet.querySelector('canvas') !== null;
    return isReached ? [Number(sheet.getAttribute('data-pdf-page'))] : [];
  });
};

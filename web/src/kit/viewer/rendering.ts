import { viewerLimits } from '@pergamin/contract';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import { createPollDelay, nothingRendered, pollRendering, type RenderState } from './render-poll.ts';
import type { ShownState, ViewerParts } from './viewer.state.ts';

const [normalWidth, denseWidth] = viewerLimits.renderWidthsPx;
export const renderWidth = (): number => (globalThis.devicePixelRatio >= 1.5 ? denseWidth : normalWidth);
/** An image enlarged by more than this looks blurred. */
const blurredFrom = 1.15;
/** A page that is only passed is not asked for. */
const restMs = 200;

/** Asks for the page images: first for that of the page that is read, then for sharper ones where those would be blurred. */
export const createRendering = ({ source, getState, update }: ViewerParts) => {
  const delay = createPollDelay();
  const tellProgress = createProgressAnnouncer();
  let isOpen = false;
  let polling: AbortController | undefined;
  let sharpening: AbortController | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const ask = (width: number, tell: (state: RenderState) => void, which = createPollDelay()): AbortController => {
    const stop = new AbortController();
    const poll = (signal: AbortSignal) => source.poll({ width, page: getState().visible.current }, signal);
    void pollRendering({ poll, tell, signal: stop.signal, delay: which });
    return stop;
  };
  const tell = (rendering: RenderState): void => {
    tellProgress(rendering);
    update({ rendering });
  };
  /** Asks for what a change of the state calls for: another page first, sharper images. */
  const follow = ({ isOpening, rendering, visible: { current }, layout }: ShownState, before: ShownState): void => {
    if (isOpen && !isOpening) polling ??= ask(renderWidth(), tell, delay);
    if (before.visible.current !== current) {
      clearTimeout(resting);
      if (!rendering.urls.has(current)) resting = setTimeout(delay.skip, restMs);
    }
    const widthPx = (layout?.boxes[current - 1]?.width ?? 0) * globalThis.devicePixelRatio;
    const isBlurred = renderWidth() < denseWidth && widthPx > renderWidth() * blurredFrom;
    // When they cannot be loaded, those of the usual width stay.
    if (isOpen && isBlurred && rendering.status === 'done')
      sharpening ??= ask(denseWidth, ({ status, urls }) => status !== 'failed' && update({ sharpUrls: urls }));
  };
  const stop = (): void => {
    clearTimeout(resting);
    polling?.abort();
    sharpening?.abort();
    [polling, sharpening] = [undefined, undefined];
  };
  return {
    start: () => {
      isOpen = true;
      update({});
    },
    follow,
    retry: () => {
      stop();
      update({ rendering: nothingRendered });
    },
    close: () => {
      isOpen = false;
      stop();
    },
  };
};

const quarterPercent = 25;

/** Says how far the pages are at each quarter, and that they are there if there was a wait at all. */
const createProgressAnnouncer = (): ((state: RenderState) => void) => {
  let said = 0;
  return ({ status, progress }) => {
    const quarter = Math.floor(progress / quarterPercent);
    if (status === 'rendering' && quarter > said) {
      said = quarter;
      announce(t('viewer.preparing', { percent: progress }));
    } else if (status === 'done' && said > 0) {
      said = 0;
      announce(t('viewer.ready'));
    }
  };
};

import { type FocusEvent, type KeyboardEvent, memo, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '#platform/language.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { boxesAround, type PageLayout, pageAt } from './page-layout.ts';
import { type PageSize, sizeOf } from './page-source.ts';
import css from './Thumbnails.module.css';
import { useViewerState, type Viewer } from './useViewer.ts';

const sheetWidthPx = 92;
/** The room around the sheet and its number, which grows with the letters. */
const aroundPx = 22;
const numberEm = 1.25;
const gapPx = 8;
const restMs = 150;
const aroundView = { few: 60, around: 6 };
const mostPictures = 10;

const heightOf = (size: PageSize): number => Math.round((sheetWidthPx * size.height) / size.width);

const layOut = (count: number, sizes: readonly PageSize[]): PageLayout => {
  const restPx = aroundPx + numberEm * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  let top = 12;
  const boxes = Array.from({ length: count }, (_, index) => {
    const box = { top, width: sheetWidthPx, height: heightOf(sizeOf(sizes, index + 1)) + restPx };
    top += box.height + gapPx;
    return box;
  });
  return { boxes, width: sheetWidthPx, height: top + 4 };
};

export const ThumbnailsPlaceholder = () => <div className={css['panel']} />;

/** The pages at a glance, each with a tick once it was reached. One stop for the tab key, from where arrows lead on. */
export function Thumbnails({ viewer, label }: { readonly viewer: Viewer; readonly label: string }) {
  const { count, sizes, showThumbnails } = viewer;
  const current = useViewerState(viewer, ({ page }) => page);
  const strip = useRef<HTMLElement>(null);
  const layout = useMemo(() => layOut(count, sizes), [count, sizes]);
  const inView = useVisibleThumbnails(strip, layout, showThumbnails);
  const [focused, setFocused] = useState<number>();
  useEffect(() => {
    const [element, box] = [strip.current, layout.boxes[current - 1]];
    if (element === null || box === undefined) return;
    if (box.top < element.scrollTop) element.scrollTop = box.top - gapPx;
    else if (box.top + box.height > element.scrollTop + element.clientHeight)
      element.scrollTop = box.top + box.height + gapPx - element.clientHeight;
  }, [current, layout]);

  const stop = focused ?? current;
  const handleBlur = (event: FocusEvent<HTMLOListElement>): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocused(undefined);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLOListElement>): void => {
    const moves: Record<string, number> = { ArrowUp: stop - 1, ArrowDown: stop + 1, Home: 1, End: count };
    const page = moves[event.key];
    if (page === undefined || page < 1 || page > count) return;
    event.preventDefault();
    const box = layout.boxes[page - 1];
    if (strip.current && box && strip.current.querySelector(`[data-thumbnail="${page}"]`) === null) strip.current.scrollTop = box.top;
    setFocused(page);
  };
  return (
    <nav ref={strip} className={css['panel']} aria-label={label}>
      {/* Keys move between the buttons. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ol style={{ height: layout.height }} onKeyDown={handleKeyDown} onBlur={handleBlur}>
        {boxesAround(layout, inView, aroundView).map(({ page, box }) => (
          <Thumbnail key={page} viewer={viewer} page={page} top={box.top} isStop={page === stop} takesFocus={page === focused} />
        ))}
      </ol>
    </nav>
  );
}

/** Which thumbnails are in view; those of a strip at rest get their pictures. */
function useVisibleThumbnails(strip: { readonly current: HTMLElement | null }, layout: PageLayout, onShow: Viewer['showThumbnails']) {
  const [inView, setInView] = useState({ first: 1, last: 8 });
  useEffect(() => {
    const element = strip.current;
    if (element === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const measure = (): void => {
      const first = pageAt(layout, element.scrollTop);
      const last = pageAt(layout, element.scrollTop + element.clientHeight);
      setInView((before) => (before.first === first && before.last === last ? before : { first, last }));
      clearTimeout(timer);
      const pages = Array.from({ length: Math.min(mostPictures, last - first + 1) }, (_, index) => first + index);
      timer = setTimeout(() => onShow(pages), restMs);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      element.removeEventListener('scroll', measure);
      onShow([]);
    };
  }, [strip, layout, onShow]);
  return inView;
}

interface ThumbnailProps {
  readonly viewer: Viewer;
  readonly page: number;
  readonly top: number;
  readonly isStop: boolean;
  /** An arrow key led here, perhaps before the thumbnail was there. */
  readonly takesFocus: boolean;
}

/** Rendered anew only when it becomes current or reached, or its picture comes or goes. */
const Thumbnail = memo(function Thumbnail({ viewer, page, top, isStop, takesFocus }: ThumbnailProps) {
  const { count, sizes, images } = viewer;
  const height = heightOf(sizeOf(sizes, page));
  const isCurrent = useViewerState(viewer, (state) => state.page === page);
  const isReached = useViewerState(viewer, ({ reached }) => reached.has(page));
  const hasFailed = useViewerState(viewer, ({ rendering }) => rendering.failed.has(page));
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  const image = useSyncExternalStore(images.subscribe, () => images.pageOf(page));
  return (
    <li style={{ top }} aria-setsize={count} aria-posinset={page}>
      <button
        ref={button}
        type="button"
        className={css['thumbnail']}
        data-thumbnail={page}
        tabIndex={isStop ? 0 : -1}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={[
          t('viewer.pageOf', { page, total: count }),
          ...(isReached ? [t('viewer.reached')] : []),
          ...(hasFailed ? [t('viewer.notShown')] : []),
        ].join(', ')}
        onClick={() => viewer.goTo(page)}
      >
        <span className={css['sheet']} style={{ width: sheetWidthPx, height }}>
          {image.state === 'shown' && <img src={image.value} alt="" draggable={false} width={sheetWidthPx} height={height} />}
          {hasFailed && image.state !== 'shown' && <Icon name="file-x-duotone" />}
        </span>
        <span className={css['number']}>
          {page}
          {isReached && <Icon name="check-bold" size="xs" />}
        </span>
      </button>
    </li>
  );
});

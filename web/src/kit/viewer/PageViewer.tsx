import { viewerLimits } from '@pergamin/contract';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { Splitter } from '../Splitter.tsx';
import { ProgressLabel } from '../Spinner.tsx';
import { usePhone } from '../usePhone.ts';
import { sizeOf } from './page-source.ts';
import css from './PageViewer.module.css';
import { SheetPage, type SheetTexts } from './SheetPage.tsx';
import { Thumbnails } from './Thumbnails.tsx';
import { usePagesInView } from './usePagesInView.ts';
import { useProgressVoice } from './useProgressVoice.ts';
import { useReading } from './useReading.ts';
import { useRoom } from './useRoom.ts';
import type { Viewer } from './useViewer.ts';
import { useWidth } from './useWidth.ts';
import { ViewerBar, type ViewerBarTexts } from './ViewerBar.tsx';
import { percentAt, rotatedRight, type Rotation, turned, widthAt, type Zoom } from './zoom.ts';

export interface PageViewerTexts extends ViewerBarTexts, SheetTexts {
  /** Names the scrolling area. */
  readonly pages: string;
  readonly thumbnailsPanel: string;
  readonly detailsPanel: string;
  readonly resizeDetails: string;
  readonly reached: string;
  readonly preparing: (percent: number) => string;
  /** Said once the pages are there, if they had to be waited for. */
  readonly ready: string;
}

interface PageViewerProps {
  readonly viewer: Viewer;
  /** One object for the life of the viewer. */
  readonly texts: PageViewerTexts;
  /** The panel at the right; without it there is none. */
  readonly details?: ReactNode;
  readonly detailsWidth?: number;
  readonly actions?: ReactNode;
  /** A strip between the tools and the pages: the document was cancelled, is superseded. */
  readonly banner?: ReactNode;
  /** Where reading begins; 1 unless somebody goes on reading. */
  readonly startPage?: number;
  /** Above the progress while the first pages are awaited. */
  readonly emblem?: ReactNode;
  /** Shown in place of the pages: an error, a refusal. */
  readonly instead?: ReactNode;
}

/** Pages kept loaded around the one that is read: as many ahead as the thumbnails show at once. */
const pagesAhead = 5;
const pagesBehind = 2;
/** Narrower than this there is no room for thumbnails. */
const thumbnailsFromPx = 760;
/** Narrower than this a panel beside the pages would leave too little of them: it starts closed. */
const detailsFromPx = 560;

/** Until somebody sets it: as wide as wished, but most of a narrow window is the pages'. */
const fittingPanelWidth = (wished: number, room: number): number =>
  Math.max(viewerLimits.panelMinWidthPx, Math.min(wished, Math.round(room * 0.4)));

const nearestFirst = (current: number, count: number): number[] => {
  const pages = [current];
  for (let distance = 1; distance <= pagesAhead; distance += 1) {
    pages.push(current + distance);
    if (distance <= pagesBehind) pages.push(current - distance);
  }
  return pages.filter((page) => page >= 1 && page <= count);
};

/** Page images of a document, read by scrolling: one viewer for documents and for the statute, told by data. */
export function PageViewer({
  viewer,
  texts,
  details,
  detailsWidth = 300,
  actions,
  banner,
  startPage = 1,
  emblem,
  instead,
}: PageViewerProps) {
  const { count, sizes, images, rendering, reached } = viewer;
  const phone = usePhone();
  const [middle, setMiddle] = useState<HTMLElement | null>(null);
  const [surface, setSurface] = useState<HTMLElement | null>(null);
  const [sheets, setSheets] = useState<HTMLElement | null>(null);
  const middleWidth = useWidth(middle);
  const room = useRoom(surface);
  const [zoom, setZoom] = useState<Zoom>('width');
  const [rotation, setRotation] = useState<Rotation>(0);
  const [thumbnailsWanted, setThumbnailsWanted] = useState(true);
  const [detailsWanted, setDetailsWanted] = useState<boolean>();
  const [panelWidth, setPanelWidth] = useState<number>();
  const { current, seen } = usePagesInView(surface, sheets);
  const handleDrawn = useReading({ images, seen, onReach: viewer.reach });
  useProgressVoice(rendering, texts);
  useEffect(() => images.hold(nearestFirst(current, count), rendering.urls), [images, current, count, rendering.urls]);

  const goTo = useCallback(
    (page: number): void => {
      const sheet = surface?.querySelector<HTMLElement>(`[data-page="${page}"]`);
      const first = surface?.querySelector<HTMLElement>('[data-page]');
      // As far below the edge as the first page is at the start.
      if (surface && sheet && first) surface.scrollTo({ top: sheet.offsetTop - first.offsetTop });
    },
    [surface],
  );
  const begin = useEffectEvent(() => goTo(startPage));
  useEffect(() => {
    if (sheets !== null) begin();
  }, [sheets]);
  const percentOf = (which: Zoom): number => (room === undefined ? 100 : percentAt(which, turned(sizeOf(sizes, current), rotation), room));
  const isWaiting = rendering.status === 'rendering' && rendering.urls.size === 0;
  const hasThumbnails = !phone && middleWidth >= thumbnailsFromPx && count > 1 && instead === undefined;
  const widestPanel = Math.max(viewerLimits.panelMinWidthPx, Math.round(middleWidth / 2));
  const shownPanelWidth = Math.min(panelWidth ?? fittingPanelWidth(detailsWidth, middleWidth), widestPanel);
  const detailsShown = details !== undefined && (detailsWanted ?? (!phone && middleWidth >= detailsFromPx));
  return (
    <div className={css['viewer']}>
      <ViewerBar
        texts={texts}
        page={current}
        count={count}
        onGo={goTo}
        zoom={zoom}
        percent={percentOf(zoom)}
        fitPercent={percentOf('width')}
        onZoom={setZoom}
        onRotate={() => setRotation(rotatedRight)}
        thumbnails={hasThumbnails ? { shown: thumbnailsWanted, onToggle: () => setThumbnailsWanted(!thumbnailsWanted) } : undefined}
        details={details === undefined ? undefined : { shown: detailsShown, onToggle: () => setDetailsWanted(!detailsShown) }}
        actions={actions}
      />
      {banner}
      <div ref={setMiddle} className={css['middle']}>
        {hasThumbnails && thumbnailsWanted && (
          <Thumbnails
            label={texts.thumbnailsPanel}
            count={count}
            sizes={sizes}
            current={current}
            reached={reached}
            images={images}
            texts={texts}
            onGo={goTo}
          />
        )}
        <div
          ref={setSurface}
          className={css['surface']}
          role="region"
          aria-label={texts.pages}
          aria-busy={instead === undefined && isWaiting}
          // A scrolling area must be reachable for the keys that scroll it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          hidden={phone && detailsShown}
        >
          {instead}
          {instead === undefined && isWaiting && (
            <div className={css['preparing']}>
              {emblem}
              <ProgressLabel percent={rendering.progress} text={texts.preparing(rendering.progress)} />
            </div>
          )}
          {instead === undefined && !isWaiting && room !== undefined && (
            <ol ref={setSheets} className={css['sheets']}>
              {Array.from({ length: count }, (_, index) => index + 1).map((page) => (
                <SheetPage
                  key={page}
                  page={page}
                  size={sizeOf(sizes, page)}
                  width={widthAt(zoom, turned(sizeOf(sizes, page), rotation), room)}
                  rotation={rotation}
                  images={images}
                  texts={texts}
                  onDrawn={handleDrawn}
                />
              ))}
            </ol>
          )}
        </div>
        {detailsShown && !phone && (
          <Splitter name={texts.resizeDetails} panel="after" width={shownPanelWidth} max={widestPanel} onResize={setPanelWidth} />
        )}
        {detailsShown && (
          <aside
            className={css['details']}
            aria-label={texts.detailsPanel}
            style={phone ? {} : { inlineSize: shownPanelWidth }}
            // It scrolls and may hold nothing that takes the focus.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
          >
            {details}
          </aside>
        )}
      </div>
    </div>
  );
}

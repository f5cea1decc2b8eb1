import { type ReactNode, useState } from 'react';
import { Splitter } from '#kit/layout/Splitter.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { DetailsStrip } from './DetailsStrip.tsx';
import { FindBar, type FindTexts } from './FindBar.tsx';
import { Pages } from './Pages.tsx';
import css from './PageViewer.module.css';
import { ReadingView, type ReadingTexts } from './ReadingView.tsx';
import type { SheetTexts } from './SheetPage.tsx';
import { Thumbnails, ThumbnailsRoom } from './Thumbnails.tsx';
import { useFinding } from './useFinding.tsx';
import { useFindKey } from './useFindKey.ts';
import { type PageView, usePageView } from './usePageView.ts';
import { type Panels, usePanels } from './usePanels.ts';
import { useProgressVoice } from './useProgressVoice.ts';
import type { Viewer } from './useViewer.ts';
import type { ViewerAction } from './viewer-action.ts';
import { useWidth } from '#kit/layout/useWidth.ts';
import { ViewerBar, type ViewerBarTexts } from './ViewerBar.tsx';

export interface PageViewerTexts extends ViewerBarTexts, SheetTexts, FindTexts, ReadingTexts {
  /** Names the scrolling area. */
  readonly pages: string;
  readonly thumbnailsPanel: string;
  readonly detailsPanel: string;
  readonly resizeDetails: string;
  readonly reached: string;
  readonly asText: (shown: boolean) => string;
  readonly preparing: (percent: number) => string;
  /** Said once the pages are there, if they had to be waited for. */
  readonly ready: string;
  readonly findTold: (at: number, total: number, page: number) => string;
}

interface PageViewerProps {
  readonly viewer: Viewer;
  /** One object for the life of the viewer. */
  readonly texts: PageViewerTexts;
  /** The panel at the right; without it there is none. */
  readonly details?: ReactNode;
  readonly detailsWidth?: number;
  /** On a phone a strip with these leads to the details, instead of a button among the tools. */
  readonly strip?: { readonly seal: ReactNode; readonly verdict: string } | undefined;
  readonly actions?: readonly ViewerAction[];
  /** A strip between the tools and the pages: the document was cancelled, is superseded. */
  readonly banner?: ReactNode;
  /** Where reading begins; 1 unless somebody goes on reading. */
  readonly startPage?: number;
  /** Words that somebody searched for: they are marked, and their first place from the start page on is shown. */
  readonly wordsSearched?: string | undefined;
  /** Above the progress while the first pages are awaited. */
  readonly emblem?: ReactNode;
  /** Shown in place of the pages: an error, a refusal. */
  readonly instead?: ReactNode;
}

/** Pages of a document, read by scrolling: one viewer for documents and for the statute, told by data. */
export function PageViewer(props: PageViewerProps) {
  const { viewer, texts, details, detailsWidth = 300, strip, actions = [], banner, startPage = 1, wordsSearched, emblem, instead } = props;
  const { count, rendering, words } = viewer;
  const [root, setRoot] = useState<HTMLElement | null>(null);
  const [middle, setMiddle] = useState<HTMLElement | null>(null);
  const [surface, setSurface] = useState<HTMLElement | null>(null);
  const isWaiting = rendering.status === 'rendering' && viewer.urls.size === 0;
  const hasPages = instead === undefined && !isWaiting;
  // The page that the text was turned to; undefined while pages are pictures.
  const [textPage, setTextPage] = useState<number>();
  const asText = textPage !== undefined;
  const width = useWidth(middle);
  // Between the panels: how wide it is, is known only with them.
  const view = usePageView({ viewer, surface: width === 0 ? null : surface, isShown: hasPages && !asText, startPage });
  const { zooming, scrolling, layout } = view;
  const current = textPage ?? scrolling.current;
  const panels = usePanels({
    width,
    hasThumbnails: count > 1 && instead === undefined,
    hasDetails: details !== undefined,
    detailsWidth,
  });
  const stripPanel = panels.phone && strip !== undefined ? panels.details : undefined;
  useProgressVoice(rendering, texts);
  const showPage = useLatest((page: number) => {
    setTextPage(undefined);
    view.goTo(page);
  });
  const goTo = useLatest((page: number) => {
    if (asText) surface?.querySelector(`[data-text-page="${page}"]`)?.scrollIntoView();
    else view.goTo(page);
  });
  const find = useFinding({
    viewer,
    texts,
    current,
    scrolling,
    wordsSearched,
    startPage,
    rotation: zooming.rotation,
    isLaidOut: layout !== undefined,
    onOpen: () => asText && showPage(current),
  });
  const hasWords = words.isAvailable && hasPages;
  useFindKey(root, hasWords ? find.start : undefined);
  const ownActions: readonly ViewerAction[] = [
    {
      id: 'text',
      icon: 'file-text',
      name: texts.asText(asText),
      isOn: asText,
      onClick: () => (asText ? showPage(current) : setTextPage(current)),
    },
    { id: 'find', icon: 'magnifying-glass', name: texts.find, isOn: find.isOpen, staysIn: 'phone', onClick: find.toggle },
  ];
  return (
    <div ref={setRoot} className={css['viewer']}>
      <ViewerBar
        texts={texts}
        page={current}
        count={count}
        onGo={goTo}
        zoom={zooming.zoom}
        percent={zooming.percentOn(current)}
        fitPercent={zooming.percentOn(current, 'width')}
        onZoom={zooming.setZoom}
        onRotate={zooming.rotate}
        thumbnails={panels.thumbnails}
        details={stripPanel === undefined ? panels.details : undefined}
        actions={[...(hasWords ? ownActions : []), ...actions]}
      />
      {strip && stripPanel && <DetailsStrip panel={stripPanel} name={texts.details(stripPanel.shown)} {...strip} />}
      {banner}
      <div ref={setMiddle} className={css['middle']}>
        {panels.thumbnails?.shown && <Strip viewer={viewer} view={view} texts={texts} current={current} onGo={goTo} />}
        <div className={css['frame']} hidden={panels.phone && panels.details?.shown}>
          {find.isOpen && hasWords && !asText && <FindBar find={find} texts={texts} field={find.field} onClose={find.toggle} />}
          <div
            ref={setSurface}
            className={css['surface']}
            data-surface=""
            role="region"
            aria-label={texts.pages}
            aria-busy={instead === undefined && isWaiting}
            // A scrolling area must be reachable for the keys that scroll it.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
          >
            {instead}
            {instead === undefined && isWaiting && (
              <div className={css['preparing']}>
                {emblem}
                <ProgressLabel percent={rendering.progress} text={texts.preparing(rendering.progress)} />
              </div>
            )}
            {hasPages && asText && (
              <ReadingView
                {...{ count, words, texts }}
                startPage={textPage}
                onReach={viewer.reach}
                onPage={setTextPage}
                onShowPage={showPage}
              />
            )}
            {layout !== undefined && (
              <Pages
                {...{ count, words, texts, layout }}
                sizes={viewer.sizes}
                isBeginning={viewer.isBeginning}
                rotation={zooming.rotation}
                first={scrolling.first}
                last={scrolling.last}
                images={viewer.images}
                marksOf={find.marksOf}
                onDrawn={view.onDrawn}
              />
            )}
          </div>
        </div>
        <Details panels={panels} texts={texts}>
          {!viewer.isBeginning && details}
        </Details>
      </div>
    </div>
  );
}

interface StripProps extends Pick<PageViewerProps, 'viewer' | 'texts'> {
  readonly view: PageView;
  readonly current: number;
  readonly onGo: (page: number) => void;
}

function Strip({ viewer: { count, sizes, reached, images, isBeginning }, view, texts, current, onGo }: StripProps) {
  if (isBeginning) return <ThumbnailsRoom />;
  return (
    <Thumbnails {...{ count, sizes, reached, images, texts, current, onGo }} label={texts.thumbnailsPanel} onSee={view.onSeeThumbnails} />
  );
}

function Details({
  panels: { phone, details },
  texts,
  children,
}: Pick<PageViewerProps, 'texts'> & { readonly panels: Panels; readonly children: ReactNode }) {
  if (details === undefined || !details.shown) return null;
  const { width, widest, onResize } = details;
  return (
    <>
      {!phone && <Splitter name={texts.resizeDetails} panel="after" width={width} max={widest} onResize={onResize} />}
      <aside
        className={css['details']}
        aria-label={texts.detailsPanel}
        style={phone ? {} : { inlineSize: width }}
        // It scrolls and may hold nothing that takes the focus.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {children}
      </aside>
    </>
  );
}

import { type ReactNode, useDeferredValue, useLayoutEffect, useMemo, useState } from 'react';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { t } from '#platform/language.ts';
import { boxesAround } from './page-layout.ts';
import css from './PageViewer.module.css';
import { ReadingView } from './ReadingView.tsx';
import { SheetPage } from './SheetPage.tsx';
import { useViewerState, type Viewer } from './useViewer.ts';

export interface PageSurfaceProps {
  readonly viewer: Viewer;
  readonly label: string;
  /** Above the progress while the first pages are awaited. */
  readonly emblem?: ReactNode;
  /** In the place of the first page while it is awaited, instead of emblem and progress. */
  readonly waiting?: ReactNode;
  /** Shown in place of the pages: an error, a refusal. */
  readonly instead?: ReactNode;
  /** The way to the file itself, offered in the place of a page that cannot be shown. */
  readonly onShowFile?: () => void;
  /** How wide it will be is known: only then are pages laid out. */
  readonly isSized: boolean;
}

const aroundView = { few: 30, around: 4 };
/** The others come after these. */
const inView = { few: 1, around: 0 };

/** The scrolling area: pages as pictures or as text, or what is there instead of them. */
export function PageSurface({ viewer, label, emblem, waiting, instead, onShowFile, isSized }: PageSurfaceProps) {
  const state = useViewerState(viewer, (all) => all);
  // Once the first page is painted the rest is rendered in time slices.
  const isOpening = useDeferredValue(state.isOpening);
  const [surface, setSurface] = useState<HTMLElement | null>(null);
  // Before the browser paints, so that the pages are in its first picture.
  useLayoutEffect(() => (surface !== null && isSized ? viewer.attach(surface) : undefined), [viewer, surface, isSized]);
  const { rendering, isWaiting, textPage, layout, rotation, visible, find } = state;
  const isPreparing = instead === undefined && isWaiting;
  useLayoutEffect(() => layout && viewer.place(layout), [viewer, layout]);
  const found = useMemo(() => Map.groupBy(find.isOpen ? find.hits : [], ({ page }) => page), [find.isOpen, find.hits]);
  return (
    <div
      ref={setSurface}
      className={css['surface']}
      data-surface=""
      role="region"
      aria-label={label}
      aria-busy={isPreparing}
      // A scrolling area must be reachable for the keys that scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {instead}
      {isPreparing &&
        (waiting ?? (
          <div className={css['preparing']}>
            {emblem}
            <PagesProgress viewer={viewer} />
          </div>
        ))}
      {instead === undefined && !isWaiting && textPage !== undefined && <ReadingView viewer={viewer} startPage={textPage} />}
      {instead === undefined && layout !== undefined && (
        <ol className={css['sheets']} style={{ height: layout.height, minWidth: layout.width }}>
          {boxesAround(layout, visible, isOpening ? inView : aroundView).map(({ page, box }) => (
            <SheetPage
              key={page}
              {...{ viewer, page, box, rotation }}
              hits={found.get(page)}
              chosen={find.chosen?.page === page ? find.chosen : undefined}
              onShowFile={rendering.failed.has(page) ? onShowFile : undefined}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

export function PagesProgress({ viewer }: Pick<PageSurfaceProps, 'viewer'>) {
  const percent = useViewerState(viewer, ({ rendering }) => rendering.progress);
  return <ProgressLabel percent={percent} text={t('viewer.preparing', { percent })} />;
}

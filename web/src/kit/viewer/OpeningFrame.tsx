import { useState } from 'react';
import { useWidth } from '#kit/layout/useWidth.ts';
import css from './PageViewer.module.css';
import type { PageViewerProps } from './PageViewer.tsx';
import { usePanels } from './usePanels.ts';
import bar from './ViewerBar.module.css';

/** The parts of a viewer in their places, before the document is here: what comes then moves nothing. */
export function OpeningFrame({ waiting, details, detailsWidth }: Pick<PageViewerProps, 'waiting' | 'details' | 'detailsWidth'>) {
  const [middle, setMiddle] = useState<HTMLElement | null>(null);
  const panels = usePanels({ width: useWidth(middle), hasThumbnails: false, detailsWidth, detailsFirst: false });
  return (
    <div className={css['viewer']}>
      <div className={bar['bar']} />
      {panels.phone && <div className={css['strip']} data-empty="" />}
      <div ref={setMiddle} className={css['middle']}>
        <div className={css['frame']}>
          <div className={css['surface']} data-waiting="">
            {waiting}
          </div>
        </div>
        {!panels.phone && panels.details.shown && (
          <div className={css['details']} style={{ inlineSize: panels.details.width }}>
            {details}
          </div>
        )}
      </div>
    </div>
  );
}

import { viewerLimits } from '@pergamin/contract';
import { useState } from 'react';
import { usePhone } from '#kit/layout/usePhone.ts';

interface PanelOptions {
  /** Of the thumbnails, the pages and the details together, in px. */
  readonly width: number;
  readonly hasThumbnails: boolean;
  /** As wide as the details would like to be. */
  readonly detailsWidth: number;
}

export interface Panel {
  readonly shown: boolean;
  readonly onToggle: () => void;
}

export interface Panels {
  readonly phone: boolean;
  /** Undefined for a single page, and where there is no room. */
  readonly thumbnails: Panel | undefined;
  readonly details: Panel & { readonly width: number; readonly widest: number; readonly onResize: (width: number) => void };
}

/** Narrower than this there is no room for thumbnails. */
const thumbnailsFromPx = 760;
/** Narrower than this a panel beside the pages would leave too little of them: it starts closed. */
const detailsFromPx = 560;

/** At first: as wide as wished, but most of a narrow window is the pages'. */
const fittingWidth = (wished: number, viewerWidth: number): number =>
  Math.max(viewerLimits.panelMinWidthPx, Math.min(wished, Math.round(viewerWidth * 0.4)));

/** What stands at the sides of the pages: shown or not, and how wide. */
export function usePanels({ width, hasThumbnails, detailsWidth }: PanelOptions): Panels {
  const phone = usePhone();
  const [thumbnailsWanted, setThumbnailsWanted] = useState(true);
  const [detailsWanted, setDetailsWanted] = useState<boolean>();
  const [chosenWidth, setChosenWidth] = useState<number>();
  const widest = Math.max(viewerLimits.panelMinWidthPx, Math.round(width / 2));
  const detailsShown = detailsWanted ?? (!phone && width >= detailsFromPx);
  return {
    phone,
    thumbnails:
      hasThumbnails && !phone && width >= thumbnailsFromPx
        ? { shown: thumbnailsWanted, onToggle: () => setThumbnailsWanted(!thumbnailsWanted) }
        : undefined,
    details: {
      shown: detailsShown,
      onToggle: () => setDetailsWanted(!detailsShown),
      width: Math.min(chosenWidth ?? fittingWidth(detailsWidth, width), widest),
      widest,
      onResize: setChosenWidth,
    },
  };
}

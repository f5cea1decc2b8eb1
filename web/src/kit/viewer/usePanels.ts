import { viewerLimits } from '@pergamin/contract';
import { useState } from 'react';
import { usePhone } from '#kit/layout/usePhone.ts';
import { type Appearance, currentAppearance } from '#platform/appearance.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';

interface PanelOptions {
  /** Of the thumbnails, the pages and the details together, in px. */
  readonly width: number;
  readonly hasThumbnails: boolean;
  readonly detailsWidth: number;
  readonly detailsFirst: boolean;
}

export interface Panel {
  readonly shown: boolean;
  readonly onToggle: () => void;
}

export type Panels = ReturnType<typeof usePanels>;

/** Narrower than this there is no room for thumbnails. */
const thumbnailsFromPx = 760;
/** Narrower than this a panel beside the pages would leave too little of them: it starts closed. */
const detailsFromPx = 560;
/** Narrower than this panels take room from a page at its full width: until they are asked for, the document has it all. */
const panelsFromPx = 1480;

/** What stands at the sides of the pages: shown or not, and how wide. */
export function usePanels({ width, hasThumbnails, detailsWidth, detailsFirst }: PanelOptions) {
  const phone = usePhone();
  const [thumbnailsWanted, setThumbnailsWanted] = useRemembered('viewer-thumbnails');
  const [detailsRemembered, setDetailsRemembered] = useRemembered('viewer-details');
  // A phone's details cover the pages: they are opened each time.
  const [detailsOnce, setDetailsOnce] = useState<boolean>();
  const [chosenWidth, setChosenWidth] = useState<number>();
  const isRemembered = !phone && !detailsFirst;
  const hasRoom = width >= panelsFromPx;
  const detailsWanted = isRemembered ? detailsRemembered : detailsOnce;
  const setDetailsWanted = isRemembered ? setDetailsRemembered : setDetailsOnce;
  const thumbnailsShown = thumbnailsWanted ?? hasRoom;
  const detailsShown = detailsWanted ?? (!phone && (detailsFirst ? width >= detailsFromPx : hasRoom));
  // Most of a narrow window is the pages'.
  const firstWidth = Math.max(viewerLimits.panelMinWidthPx, Math.min(detailsWidth, Math.round(width * 0.4)));
  const widest = Math.max(viewerLimits.panelMinWidthPx, Math.round(width / 2));
  return {
    phone,
    /** Undefined for a single page, and where there is no room. */
    thumbnails:
      hasThumbnails && !phone && width >= thumbnailsFromPx
        ? { shown: thumbnailsShown, onToggle: () => setThumbnailsWanted(!thumbnailsShown) }
        : undefined,
    details: {
      shown: detailsShown,
      onToggle: () => setDetailsWanted(!detailsShown),
      width: Math.min(chosenWidth ?? firstWidth, widest),
      widest,
      onResize: setChosenWidth,
    },
  };
}

/** Whether a panel is to be open, as it was chosen last in this browser; undefined without a choice. */
function useRemembered(panel: Extract<Appearance, `viewer-${string}`>): [boolean | undefined, (shown: boolean) => void] {
  const [choice, setChoice] = useState(() => currentAppearance(panel));
  const choose = (shown: boolean): void => {
    const next = shown ? 'shown' : 'hidden';
    setChoice(next);
    chooseAppearance(panel, next);
  };
  return [choice === 'auto' ? undefined : choice === 'shown', choose];
}

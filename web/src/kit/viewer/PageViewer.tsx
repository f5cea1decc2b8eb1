import { type PropsWithChildren, type ReactNode, useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import { Splitter } from '#kit/layout/Splitter.tsx';
import { useWidth } from '#kit/layout/useWidth.ts';
import { alertError } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { FindBar } from './FindBar.tsx';
import { PageSurface, type PageSurfaceProps } from './PageSurface.tsx';
import css from './PageViewer.module.css';
import { partName } from './part-name.ts';
import { Thumbnails, ThumbnailsPlaceholder } from './Thumbnails.tsx';
import { type Panel, type Panels, usePanels } from './usePanels.ts';
import { usePrinting } from './usePrinting.tsx';
import { useViewerState } from './useViewer.ts';
import bar from './ViewerBar.module.css';
import { type ViewerAction, ViewerBar } from './ViewerBar.tsx';

export interface PageViewerProps extends Omit<PageSurfaceProps, 'label' | 'isSized'> {
  /** Of the document, where several may be open at once. */
  readonly name?: string;
  /** The panel at the right. */
  readonly details: ReactNode;
  readonly detailsName?: string;
  readonly detailsWidth: number;
  /** They say why the pages are shown: open wherever there is room, and not remembered. */
  readonly detailsFirst?: boolean;
  /** On a phone a strip with these leads to the details; elsewhere the button of the details bears the verdict. */
  readonly strip?: { readonly seal: ReactNode; readonly verdict: string } | undefined;
  /** After finding and printing. */
  readonly actions?: readonly ViewerAction[];
  /** Instead of a message: what to do when the pages cannot be printed. */
  readonly onPrintFailure?: (error: unknown) => void;
  /** A strip between the tools and the pages: the document was cancelled, is superseded. */
  readonly banner?: ReactNode;
}

/** Pages of a document, read by scrolling: one viewer for documents and for the statute, told by data. */
export function PageViewer(props: PageViewerProps) {
  const { viewer, name, details, detailsWidth, detailsFirst = false, strip, banner, instead } = props;
  const { count, words, find } = viewer;
  const state = useViewerState(viewer, (all) => all);
  const isOpening = useDeferredValue(state.isOpening);
  const [root, setRoot] = useState<HTMLElement | null>(null);
  const [middle, setMiddle] = useState<HTMLElement | null>(null);
  const width = useWidth(middle);
  const panels = usePanels({ width, hasThumbnails: count > 1 && instead === undefined, detailsWidth, detailsFirst });
  const asText = state.textPage !== undefined;
  const hasWords = words.isAvailable && instead === undefined && !state.isWaiting;
  const printing = usePrinting(viewer, props.onPrintFailure ?? alertError);
  const toggleBar = state.find.isOpen ? find.hideBar : find.showBar;
  useFindKey(root, hasWords ? find.showBar : undefined);
  const ownActions: readonly ViewerAction[] = [
    {
      id: 'text',
      icon: 'file-text',
      name: t(asText ? 'viewer.asPages' : 'viewer.asText'),
      word: t(asText ? 'viewer.pagesWord' : 'viewer.textWord'),
      isOn: asText,
      staysIn: 'phone',
      onClick: () => (asText ? viewer.showPicture : viewer.showText)(state.page),
    },
    { id: 'find', icon: 'magnifying-glass', name: t('viewer.find'), isOn: state.find.isOpen, staysIn: 'phone', onClick: toggleBar },
  ];
  const isStrip = panels.phone && strip !== undefined;
  return (
    <div ref={setRoot} className={css['viewer']}>
      <ViewerBar
        viewer={viewer}
        thumbnails={panels.thumbnails}
        details={isStrip ? undefined : { ...panels.details, verdict: strip?.verdict }}
        actions={[...(hasWords ? ownActions : []), printing.action, ...(props.actions ?? [])]}
      />
      {isStrip && <DetailsStrip {...panels.details} {...strip} />}
      {banner}
      <div ref={setMiddle} className={css['middle']}>
        {panels.thumbnails?.shown &&
          (isOpening ? <ThumbnailsPlaceholder /> : <Thumbnails viewer={viewer} label={partName(t('viewer.thumbnails'), name)} />)}
        <div className={css['frame']} hidden={panels.phone && panels.details.shown}>
          {state.find.isOpen && hasWords && !asText && <FindBar viewer={viewer} label={partName(t('viewer.find'), name)} />}
          {/* Between the panels: how wide it is, is known only with them. */}
          <PageSurface {...props} label={partName(t('viewer.pages'), name)} isSized={width > 0} />
        </div>
        <Details panels={panels} label={props.detailsName ?? partName(t('viewer.details'), name)}>
          {!isOpening && details}
        </Details>
      </div>
      {printing.dialog}
    </div>
  );
}

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

/** Ctrl+F (on a Mac Cmd+F) looks in this document while the focus is in its window; elsewhere it stays the browser's. */
function useFindKey(viewer: HTMLElement | null, onFind: (() => void) | undefined): void {
  const find = useEffectEvent(() => onFind?.());
  const isAvailable = onFind !== undefined;
  useEffect(() => {
    if (viewer === null || !isAvailable) return undefined;
    const handleKey = (event: KeyboardEvent): void => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f';
      if (!isFind || event.defaultPrevented) return;
      const window = viewer.closest('[data-region="window"]') ?? viewer;
      const isHere = event.target instanceof Node && window.contains(event.target);
      if (!isHere && !(event.target === document.body && window.matches('[data-focused]'))) return;
      event.preventDefault();
      find();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [viewer, isAvailable]);
}

/** On a phone: the seal and the verdict at a glance, and the way to the details, which tell both themselves. */
const DetailsStrip = ({ shown, onToggle, seal, verdict }: Panel & NonNullable<PageViewerProps['strip']>) => (
  <button type="button" className={css['strip']} aria-expanded={shown} onClick={onToggle}>
    {!shown && seal}
    <span className={css['lines']}>
      {!shown && (
        <strong>
          <Icon name="seal-check-fill" />
          {verdict}
        </strong>
      )}
      <span>{t(shown ? 'viewer.hideDetails' : 'viewer.details')}</span>
    </span>
    <Icon name={shown ? 'caret-up' : 'caret-down'} />
  </button>
);

function Details({ panels: { phone, details }, label, children }: PropsWithChildren<{ readonly panels: Panels; readonly label: string }>) {
  if (!details.shown) return null;
  const { width, widest, onResize } = details;
  return (
    <>
      {!phone && <Splitter name={t('viewer.resizeDetails')} panel="after" width={width} max={widest} onResize={onResize} />}
      <aside
        className={css['details']}
        aria-label={label}
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

import type { DocumentDetails } from '@pergamin/contract';
import { useEffect, useEffectEvent } from 'react';
import { useDesktop, useWindow } from '#desktop/desktop.context.ts';
import { useFullScreen } from '#desktop/useFullScreen.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { WarningBanner } from '#kit/feedback/WarningBanner.tsx';
import { type Busy, useBusy } from '#kit/hooks/useBusy.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';
import type { EmbeddedPage } from '#kit/viewer/page-source.ts';
import { PagesProgress } from '#kit/viewer/PageSurface.tsx';
import { PageViewer } from '#kit/viewer/PageViewer.tsx';
import { ReadingTicks } from '#kit/viewer/ReadingTicks.tsx';
import { useFileWindow } from '#kit/viewer/useFileWindow.ts';
import { useViewerState } from '#kit/viewer/useViewer.ts';
import { isFinished, type ViewerState } from '#kit/viewer/viewer.state.ts';
import type { ViewerAction } from '#kit/viewer/ViewerBar.tsx';
import { nextPageToRead, pagesLeft } from '#kit/viewer/reading-progress.ts';
import { unprovedEntry } from '#platform/check-words.ts';
import { downloadReceipt } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { checksumOf, fileNameOf, titleOf } from '#platform/metadata.ts';
import { type Checked, DetailsPanel, verdictOf } from './DetailsPanel.tsx';
import css from './DocumentReader.module.css';
import { refusalOfError } from './opening.ts';
import { detailsWidthPx, WaitingSheet } from './OpeningDocument.tsx';
import { DocumentState } from './OtherVersions.tsx';
import { RefusalState } from './RefusalState.tsx';
import { useReading } from './useReading.ts';
import { documentPages, fetchDocumentFile } from './viewer.queries.ts';

export interface DocumentReaderProps {
  readonly document: DocumentDetails;
  /** What its verification gave. */
  readonly checked: Checked;
  readonly firstPage: EmbeddedPage | undefined;
  readonly download: Busy;
  /** Where it is opened, when something was found there. */
  readonly startPage?: number | undefined;
  /** The words that were searched for: marked on the pages, and in the find bar. */
  readonly wordsSearched?: string | undefined;
  /** Told of the page that is read, so that a reload goes on there. */
  readonly onPage?: ((page: number) => void) | undefined;
}

const stripSealSizePx = 40;
const gone = { kind: 'notFound' } as const;

/** A verified document, read page by page; its bottom button marks it as read (F5, F11). */
export function DocumentReader({ document, checked, firstPage, download, startPage: asked, wordsSearched, onPage }: DocumentReaderProps) {
  const { id, pageCount, pagesReached } = document;
  const isRead = document.read !== null;
  const { viewer, busy, finish, isGone } = useReading(document, {
    source: documentPages(id, firstPage),
    startPage: asked ?? (isRead ? 1 : nextPageToRead(pageCount, pagesReached)),
    wordsSearched,
  });
  const rendering = useViewerState(viewer, (state) => state.rendering);
  const page = useViewerState(viewer, (state) => state.page);
  const tellPage = useEffectEvent((at: number): void => onPage?.(at));
  useEffect(() => {
    tellPage(page);
  }, [page]);
  const hindrance = useViewerState(viewer, (state) => (isGone ? undefined : hindranceOf(state, document)));
  const sha256 = checksumOf(document);
  const unproved = unprovedEntry(checked);
  const failure = isGone ? gone : rendering.status === 'failed' ? refusalOfError(rendering.error) : undefined;
  useKeptFocus(failure === undefined);
  const fileWindow = useFileWindow({ title: titleOf(document), fetchBytes: () => fetchDocumentFile(document) });
  const fullScreen = useFullScreenAction();
  const desktop = useDesktop();
  const showFile = (): void => void desktop.open('document-info', { id, title: titleOf(document) });
  const phone = usePhone();
  const receipt = useBusy(() => downloadReceipt('own', { id, fileName: fileNameOf(document) }));
  return (
    <>
      <PageViewer
        viewer={viewer}
        name={titleOf(document)}
        waiting={
          <WaitingSheet document={document}>
            <PagesProgress viewer={viewer} />
          </WaitingSheet>
        }
        details={<DetailsPanel document={document} checked={checked} />}
        detailsWidth={detailsWidthPx}
        strip={sha256 === undefined ? undefined : { seal: <Seal sha256={sha256} size={stripSealSizePx} />, verdict: verdictOf(checked) }}
        banner={
          <>
            {unproved !== undefined && <WarningBanner text={t(`check.entry.${unproved}`)} />}
            <DocumentState document={document} />
          </>
        }
        onShowFile={showFile}
        actions={[
          fileWindow,
          { id: 'info', icon: 'file-pdf', name: t('viewer.showFile'), onClick: showFile },
          ...fullScreen,
          {
            id: 'download',
            icon: 'download-simple',
            name: t('viewer.download'),
            staysIn: 'narrow',
            disabledReason: download.busy ? t('list.downloading', { name: titleOf(document) }) : undefined,
            onClick: download.start,
          },
        ]}
        instead={
          failure && <RefusalState documentId={id} refusal={failure} onRetry={viewer.retry} download={download} onShowFile={showFile} />
        }
      />
      <WindowFoot
        status={
          failure === undefined &&
          (isRead ? (
            <span className={css['read']}>
              <span>{t('viewer.alreadyRead')}</span>
              <Button size="s" kind="quiet" icon="certificate" busy={receipt.busy} onClick={receipt.start}>
                {t('receipt.download')}
              </Button>
            </span>
          ) : (
            <ReadingTicks viewer={viewer} sha256={sha256} />
          ))
        }
      >
        {phone && (
          <Button icon="download-simple" busy={download.busy} onClick={download.start}>
            {t('viewer.download')}
          </Button>
        )}
        <Button kind="primary" busy={busy} disabledReason={hindrance} onClick={finish}>
          {t(hindrance === undefined ? 'viewer.close' : 'viewer.done')}
        </Button>
      </WindowFoot>
    </>
  );
}

/** The whole screen for the whole product, and all of it for this window: messages and the end of the session stay to be seen. */
function useFullScreenAction(): readonly ViewerAction[] {
  const { full, possible, toggle } = useFullScreen();
  const { id } = useWindow();
  const { maximise } = useDesktop();
  if (!possible) return [];
  const handleClick = (): void => {
    if (!full) maximise(id);
    toggle();
  };
  return [
    {
      id: 'full',
      icon: full ? 'corners-in' : 'corners-out',
      name: t(full ? 'viewer.leaveFullScreen' : 'viewer.fullScreen'),
      isOn: full,
      onClick: handleClick,
    },
  ];
}

/** Why the window cannot be finished yet; undefined when it can. */
const hindranceOf = (state: ViewerState, { read, pageCount }: DocumentDetails): string | undefined => {
  const { rendering, reached } = state;
  if (rendering.status === 'failed' || isFinished(state, pageCount)) return undefined;
  if (read === null && reached.size < pageCount)
    return `${t('viewer.readAllFirst')}. ${t('viewer.pagesLeft', { pages: pagesLeft(pageCount, reached) })}`;
  return rendering.status === 'done' ? undefined : t('viewer.stillLoading');
};

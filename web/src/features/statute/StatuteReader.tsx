import { acceptStatute, downloadStatute, getStatuteInForce, markStatutePage, type StatuteDetails } from '@pergamin/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot, WindowTitleActions } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { BeforePages } from '#kit/viewer/BeforePages.tsx';
import { pageMark } from '#kit/viewer/page-marks.ts';
import { PageViewer } from '#kit/viewer/PageViewer.tsx';
import { ReadingTicks } from '#kit/viewer/ReadingTicks.tsx';
import { useFileWindow } from '#kit/viewer/useFileWindow.ts';
import { useViewer, useViewerState, type Viewer } from '#kit/viewer/useViewer.ts';
import { isFinished } from '#kit/viewer/viewer.state.ts';
import { nextPageToRead } from '#kit/viewer/reading-progress.ts';
import { call, CallError } from '#platform/api.ts';
import { dayText } from '#platform/dates.ts';
import { alertError, isForbidden, isNotFound, pagesMissingIn, sentenceOf } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { pdfName, saveFile } from '#platform/save-file.ts';
import { type AskedVersion, statutePages, type StatuteToAccept, useStatuteToAccept } from './statute.queries.ts';
import css from './StatuteReader.module.css';

interface StatuteReaderProps {
  readonly asked: AskedVersion;
  readonly onAccepted: () => void;
  /** What can be done instead of accepting. */
  readonly actions: ReactNode;
}

const sideWidthPx = 340;
const waitingSealSizePx = 90;
const sideSealSizePx = 96;

/** The content of a window in which a version of the terms is read and accepted, from its first moment on. */
export function StatuteReader({ asked, onAccepted, actions }: StatuteReaderProps) {
  const { statute, error, retry } = useStatuteToAccept(asked);
  useKeptFocus(statute !== undefined);
  useWindowTitle(statute && t('statute.titleVersion', { version: statute.details.version }));
  const [refusals, setRefusals] = useState(0);
  const onRefused = (): void => setRefusals(refusals + 1);
  if (statute !== undefined)
    // After a refusal it is read on from the first page that the server has no mark of.
    return <StatutePages key={`${statute.details.id} ${refusals}`} {...{ statute, asked, onAccepted, onRefused, actions }} />;
  return (
    <>
      <BeforePages isOpening={error === null}>
        {error !== null && <ErrorState title={t('statute.failed')} text={statuteSentence(error)} onRetry={retry} />}
      </BeforePages>
      <WindowFoot>{actions}</WindowFoot>
    </>
  );
}

interface StatutePagesProps extends StatuteReaderProps {
  readonly statute: StatuteToAccept;
  /** The server lacks pages. */
  readonly onRefused: () => void;
}

/** The statute page by page; it can be accepted once every page was reached (C5). */
function StatutePages({ statute, asked, onAccepted, onRefused, actions }: StatutePagesProps) {
  const { details, pagesReached } = statute;
  const { id, pageCount } = details;
  const viewer = useViewer({
    source: statutePages(id),
    count: pageCount,
    sizes: details.pageSizes,
    reachedBefore: pagesReached,
    startPage: nextPageToRead(pageCount, pagesReached),
    mark: (page, isShown) => call(markStatutePage, pageMark(id, page, isShown)),
  });
  const rendering = useViewerState(viewer, (state) => state.rendering);
  const isDone = useViewerState(viewer, (state) => isFinished(state, pageCount));
  const acceptance = useAcceptance(id, viewer, { onAccepted, onRefused });
  const why =
    asked === 'inForce'
      ? { title: t('statute.before'), lead: t('statute.lead') }
      : { title: t('statute.upcoming', { date: dayText(details.effectiveFrom) }), lead: t('statute.upcomingLead') };
  const title = t('statute.titleVersion', { version: details.version });
  const fetchBytes = () => call(downloadStatute, { params: { id } });
  const fileWindow = useFileWindow({ title, fetchBytes }, tellFailure);
  const save = async (): Promise<void> => saveFile(await fetchBytes(), pdfName(title, id));
  const download = useBusy(() => save().catch(tellFailure));
  useKeptFocus(rendering.status !== 'failed');
  return (
    <>
      <WindowTitleActions>
        <IconButton
          icon="download-simple"
          name={t('statute.download')}
          disabledReason={download.busy ? t('list.downloading', { name: t('statute.title') }) : undefined}
          onClick={download.start}
        />
      </WindowTitleActions>
      <PageViewer
        viewer={viewer}
        emblem={<Seal sha256={details.sha256} size={waitingSealSizePx} />}
        details={<Side {...details} {...why} />}
        detailsName={why.title}
        detailsWidth={sideWidthPx}
        detailsFirst
        onShowFile={fileWindow.onClick}
        actions={[fileWindow]}
        onPrintFailure={tellFailure}
        instead={
          rendering.status === 'failed' ? (
            <ErrorState title={t('statute.failed')} text={statuteSentence(rendering.error)} onRetry={viewer.retry} />
          ) : undefined
        }
      />
      <WindowFoot status={<ReadingTicks viewer={viewer} />}>
        {actions}
        <Button
          kind="primary"
          icon="check"
          busy={acceptance.busy}
          disabledReason={isDone ? undefined : t('statute.readAllFirst')}
          onClick={acceptance.accept}
        >
          {t('statute.accept')}
        </Button>
      </WindowFoot>
    </>
  );
}

/** Why the statute is shown, what is new in it, and which file it is. */
const Side = ({ sha256, changes, effectiveFrom, title, lead }: StatuteDetails & Record<'title' | 'lead', string>) => (
  <div className={css['side']}>
    <Seal sha256={sha256} size={sideSealSizePx} />
    <h3>{title}</h3>
    <p>{lead}</p>
    {changes !== null && (
      <div className={css['changes']}>
        <Icon name="info" />
        <p>
          <strong>{t('statute.changes')}</strong> {changes}
        </p>
      </div>
    )}
    <dl>
      <div>
        <dt>{t('statute.effectiveFrom')}</dt>
        <dd className="num">{dayText(effectiveFrom)}</dd>
      </div>
      <div>
        <dt>{t('statute.checksum')}</dt>
        <dd>
          <Checksum sha256={sha256} />
        </dd>
      </div>
    </dl>
  </div>
);

function useAcceptance(id: string, viewer: Viewer, { onAccepted, onRefused }: Pick<StatutePagesProps, 'onAccepted' | 'onRefused'>) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const accept = async (): Promise<void> => {
    setBusy(true);
    try {
      await viewer.settle();
      await call(acceptStatute, { params: { id } });
    } catch (error) {
      // The window stays, and the button can be pressed again (C6).
      setBusy(false);
      tellFailure(error);
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: [getStatuteInForce.name] });
      if (pagesMissingIn(error) !== undefined) onRefused();
      return;
    }
    emit('alert', { tone: 'success', title: t('statute.accepted') });
    onAccepted();
  };
  return { busy, accept: () => void accept() };
}

/** Another version is in force by now, this one was taken away, or the server has other marks of its pages. */
const isOutdated = (error: unknown): boolean => isNotFound(error) || (error instanceof CallError && error.code === 'INVALID_STATUS');

/** `alertError` leaves these codes to the caller. */
const tellFailure = (error: unknown): void => {
  const isTold = error instanceof CallError && (isOutdated(error) || isForbidden(error));
  if (isTold) emit('alert', { tone: 'error', title: statuteSentence(error) });
  else alertError(error);
};

/** In the statute a bare 403 means that its bytes are not those that were published (Q0). */
const statuteSentence = (error: unknown): string => {
  const pages = pagesMissingIn(error);
  if (pages !== undefined) return t('statute.pagesMissing', { pages });
  return isForbidden(error) ? t('statute.checksumMismatch') : sentenceOf(error);
};

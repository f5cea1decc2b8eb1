import { type AnswerOf, checkPublicDocument, type DocumentDetails, downloadPublicDocument, getPublicDocument } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Badge } from '#kit/feedback/Badge.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { StateBanner } from '#kit/feedback/StateBanner.tsx';
import { type Busy, useBusy } from '#kit/hooks/useBusy.ts';
import { type PdfPages, usePdf } from '#kit/pdf/usePdf.ts';
import { ReceiptOffer } from '#kit/seal/ReceiptOffer.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { BeforePages } from '#kit/viewer/BeforePages.tsx';
import { PageViewer } from '#kit/viewer/PageViewer.tsx';
import { useViewer } from '#kit/viewer/useViewer.ts';
import { checkAndTell } from '#lists/check-and-tell.ts';
import { call, CallError } from '#platform/api.ts';
import { brand } from '#platform/brand.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { isEntryRefused, sentencesOfCheck, unprovedEntry } from '#platform/check-words.ts';
import { momentText } from '#platform/dates.ts';
import { downloadReceipt } from '#platform/download.ts';
import { isNotFound, sentenceOf } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { checksumOf, fileNameOf, titleOf } from '#platform/metadata.ts';
import { usePublicMetadata } from '#platform/metadata.queries.ts';
import { pdfName, saveFile } from '#platform/save-file.ts';
import { publicAddress } from './public-address.ts';
import css from './PublicPreview.module.css';

export interface PublicPreviewProps {
  readonly id: string;
  /** What it is called as long as it has not come itself. */
  readonly title: string;
  readonly onClose: () => void;
  readonly onOpenNewVersion: (id: string) => void;
  /** Told when there is no such public document, where the page says so itself. */
  readonly onNotFound?: () => void;
}

type Verdict = AnswerOf<typeof checkPublicDocument>;

const detailsWidthPx = 300;
const sealSizePx = 132;

/** A public document page by page, drawn here from its bytes (A13); nothing is marked. */
export function PublicPreview({ id, title, onClose, onOpenNewVersion, onNotFound }: PublicPreviewProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error: notLoaded, refetch } = usePublicFile(id);
  const { pdf, error: notRead, retry } = usePdf(id, data?.bytes);
  const error = notLoaded ?? notRead;
  const isUnknown = isNotFound(notLoaded);
  const tellNotFound = useEffectEvent(() => onNotFound?.());
  useEffect(() => {
    if (isUnknown) tellNotFound();
  }, [isUnknown]);
  useEffect(() => heading.current?.focus(), []);
  const name = data === undefined ? title : titleOf(data.details);
  useDocumentTitle(name);
  const { verdict, refusal, ...check } = useCheck(id, name);
  const hindrance = notLoaded === null ? undefined : t('viewer.failed');
  return (
    <section className={css['preview']} aria-labelledby={titleId}>
      <header className={css['bar']}>
        <h1 ref={heading} id={titleId} tabIndex={-1}>
          {name}
        </h1>
        <IconButton
          icon="link-simple"
          name={t('publicView.copyLink')}
          size="l"
          disabledReason={hindrance}
          onClick={() => void copyLink(id)}
        />
        <Button icon="seal-check" busy={check.busy} disabledReason={hindrance} onClick={check.start}>
          {t('list.check')}
        </Button>
        <Button
          icon="download-simple"
          busy={data === undefined && notLoaded === null}
          disabledReason={hindrance}
          onClick={() => data && saveFile(data.bytes, pdfName(fileNameOf(data.details), id))}
        >
          {t('list.download')}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t('viewer.close')}
        </Button>
      </header>
      {pdf !== undefined && data !== undefined ? (
        <Pages document={data.details} {...{ pdf, verdict, refusal, onOpenNewVersion }} />
      ) : (
        <BeforePages isOpening={error === null}>
          {error !== null && <Refused error={error} onRetry={notLoaded === null ? retry : () => void refetch()} />}
        </BeforePages>
      )}
    </section>
  );
}

interface PagesProps extends Pick<PublicPreviewProps, 'onOpenNewVersion'> {
  readonly document: DocumentDetails;
  readonly pdf: PdfPages;
  readonly verdict: Verdict | undefined;
  /** Of its entry in the register; undefined while there is nothing to say. */
  readonly refusal: Error | undefined;
}

function Pages({ document, pdf, verdict, refusal, onOpenNewVersion }: PagesProps) {
  const { state, successor, pageSizes } = document;
  const viewer = useViewer({ source: pdf.source, count: pdf.count, sizes: pageSizes, startPage: 1 });
  const handleOpen = successor === undefined ? undefined : () => onOpenNewVersion(successor);
  return (
    <PageViewer
      viewer={viewer}
      details={<Details {...{ document, verdict, refusal }} />}
      detailsWidth={detailsWidthPx}
      banner={<StateBanner state={state} onOpenNewVersion={handleOpen} />}
    />
  );
}

function Details({ document, verdict, refusal }: Pick<PagesProps, 'document' | 'verdict' | 'refusal'>) {
  const { texts } = usePublicMetadata();
  const sha256 = checksumOf(document);
  const isSound = verdict?.status === 'SHA_CIF_OK';
  return (
    <>
      <section className={css['seal']}>
        {sha256 !== undefined && (
          <Seal sha256={sha256} size={sealSizePx} look={refusal === undefined && (verdict === undefined || isSound) ? 'plain' : 'void'} />
        )}
        {refusal !== undefined && (
          <Badge tone="bad" icon="x-circle-fill">
            {sentenceOf(refusal)}
          </Badge>
        )}
        {verdict === undefined ? (
          refusal === undefined && <p className={css['lead']}>{t('publicView.sealLead')}</p>
        ) : (
          <div className={css['verdict']}>
            <Badge tone={isSound ? 'ok' : 'bad'} icon={isSound ? 'seal-check-fill' : 'x-circle-fill'}>
              {t(isSound ? (unprovedEntry(verdict) === undefined ? 'viewer.verified' : 'viewer.fileVerified') : `check.${verdict.status}`)}
            </Badge>
            {sentencesOfCheck(verdict).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            {verdict.checkedAt !== null && <p>{t('check.checkedAt', { time: momentText(verdict.checkedAt) })}</p>}
          </div>
        )}
      </section>
      <ReceiptOffer of="public" onDownload={() => downloadReceipt('public', { id: document.id, fileName: fileNameOf(document) })} />
      <div className={css['rows']}>
        <MetadataList lines={texts.linesOf(document.metadata, 'D')} />
      </div>
    </>
  );
}

const usePublicFile = (id: string) =>
  useQuery({
    queryKey: [downloadPublicDocument.name, id],
    queryFn: async ({ signal }) => {
      const [details, bytes] = await Promise.all([
        call(getPublicDocument, { params: { id }, signal }),
        call(downloadPublicDocument, { params: { id }, signal }),
      ]);
      return { details, bytes };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

const copyLink = async (id: string): Promise<void> => {
  const address = new URL(publicAddress(id), location.origin).href;
  try {
    await navigator.clipboard.writeText(address);
    emit('alert', { tone: 'success', title: t('publicView.linkCopied'), detail: address });
  } catch {
    // A browser may refuse; the address can still be taken from here.
    emit('alert', { tone: 'info', title: t('publicView.linkNotCopied'), detail: address });
  }
};

/** Has the stored bytes read again, tells the verdict, and keeps it beside the pages. */
function useCheck(id: string, title: string): Busy & Pick<PagesProps, 'verdict' | 'refusal'> {
  const [told, setTold] = useState<{ readonly verdict?: Verdict; readonly error?: unknown }>();
  const ask = async (): Promise<Verdict> => {
    try {
      const verdict = await call(checkPublicDocument, { params: { id } });
      setTold({ verdict });
      return verdict;
    } catch (error) {
      setTold({ error });
      throw error;
    }
  };
  // Its address shows how it stands with the document, without being asked; what cannot be answered now, but of its entry in the register, is told when somebody asks.
  const { data, error } = useQuery({ ...lastingCallQuery(checkPublicDocument, { params: { id } }), retry: false, gcTime: 0 });
  const latest = told ?? { verdict: data, error };
  const refusal = latest.error instanceof Error && isEntryRefused(latest.error) ? latest.error : undefined;
  return { verdict: latest.verdict, refusal, ...useBusy(() => checkAndTell({ check: ask }, { id, title })) };
}

/** The browser's tab is named by the document as long as it is shown (WCAG 2.4.2). */
function useDocumentTitle(name: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${name} · ${brand().name}`;
    return () => {
      document.title = before;
    };
  }, [name]);
}

function Refused({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  if (isNotFound(error)) return <ErrorState icon="file-x-duotone" title={t('viewer.notFound')} />;
  if (error instanceof CallError && error.status === 403) return <ErrorState title={t('viewer.forbidden')} />;
  return <ErrorState title={t('viewer.failed')} text={error instanceof CallError ? sentenceOf(error) : undefined} onRetry={onRetry} />;
}

import { downloadSentDocument as fetchSentDocument, type SentDocumentDetails } from '@pergamin/contract';
import { CloseButton } from '#desktop/CloseButton.tsx';
import { useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { ReceiptOffer } from '#kit/seal/ReceiptOffer.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { SealBand } from '#kit/seal/SealBand.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import type { PageSource } from '#kit/viewer/page-source.ts';
import { PageViewer } from '#kit/viewer/PageViewer.tsx';
import { useFileWindow } from '#kit/viewer/useFileWindow.ts';
import { useViewer, useViewerState } from '#kit/viewer/useViewer.ts';
import { BeforePages } from '#kit/viewer/BeforePages.tsx';
import { call } from '#platform/api.ts';
import { dayText, momentText } from '#platform/dates.ts';
import { downloadReceipt, downloadSentDocument } from '#platform/download.ts';
import { isNotFound, sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import type { MetadataLine, ShownValue } from '#platform/metadata.ts';
import { nameText } from '#platform/names.ts';
import { bytesText, numberText } from '#platform/numbers.ts';
import detailsCss from './SentDetails.module.css';
import { useSentDocument } from './sent.queries.ts';

const detailsWidthPx = 320;
const sealSizePx = 90;

/** A document that the person has sent, page by page (I2). It need not be read: it can be closed at any time. */
export function SentDocumentWindow({ documentId }: { readonly documentId: string }) {
  const { data, error, isFetching, refetch } = useSentDocument(documentId);
  useWindowTitle(data?.document.filename);
  useKeptFocus(!isFetching);
  if (data !== undefined) return <SentReader key={documentId} document={data.document} pages={data.pages} />;
  return (
    <>
      <BeforePages isOpening={error === null || isFetching}>
        {error !== null && <Refused error={error} onRetry={() => void refetch()} />}
      </BeforePages>
      <WindowFoot>
        <CloseButton kind="primary">{t('viewer.close')}</CloseButton>
      </WindowFoot>
    </>
  );
}

function SentReader({ document, pages }: { readonly document: SentDocumentDetails; readonly pages: PageSource }) {
  const { id, filename, pageCount, pageSizes, sha256 } = document;
  const viewer = useViewer({ source: pages, count: pageCount, sizes: pageSizes, startPage: 1 });
  const download = useBusy(() => downloadSentDocument({ id, fileName: filename }));
  const rendering = useViewerState(viewer, (state) => state.rendering);
  useKeptFocus(rendering.status !== 'failed');
  const fileWindow = useFileWindow({ title: filename, fetchBytes: () => call(fetchSentDocument, { params: { id } }) });
  return (
    <>
      <PageViewer
        viewer={viewer}
        name={filename}
        emblem={<Seal sha256={sha256} size={sealSizePx} />}
        details={<SentDetails document={document} />}
        detailsWidth={detailsWidthPx}
        onShowFile={fileWindow.onClick}
        actions={[fileWindow]}
        instead={rendering.status === 'failed' ? <Refused error={rendering.error} onRetry={viewer.retry} /> : undefined}
      />
      <WindowFoot>
        <Button icon="download-simple" busy={download.busy} onClick={download.start}>
          {t('list.download')}
        </Button>
        <CloseButton kind="primary">{t('viewer.close')}</CloseButton>
      </WindowFoot>
    </>
  );
}

function Refused({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  if (isNotFound(error)) return <ErrorState icon="file-x-duotone" title={t('viewer.notFound')} text={t('viewer.notFoundLead')} />;
  return <ErrorState title={t('viewer.failed')} text={sentenceOf(error)} onRetry={onRetry} />;
}

/** Where it stands, and everything that is known of it (H10). */
function SentDetails({ document }: { readonly document: SentDocumentDetails }) {
  const { sha256, status, receivedOn, createdOn } = document;
  const isReceived = status === 'RECEIVED' && receivedOn !== null;
  return (
    <>
      <SealBand sha256={sha256}>
        <strong className={detailsCss['standing']} data-received={isReceived || undefined}>
          <Icon name={isReceived ? 'check-circle-fill' : 'paper-plane-tilt-fill'} />
          {t(isReceived ? 'sent.RECEIVED' : 'sent.SENT')}
        </strong>
        <p className="num">{momentText(isReceived ? receivedOn : createdOn)}</p>
      </SealBand>
      <ReceiptOffer of="sent" onDownload={() => downloadReceipt('sent', { id: document.id, fileName: document.filename })} />
      <div className={detailsCss['rows']}>
        <MetadataList lines={linesOf(document)} />
      </div>
    </>
  );
}

const linesOf = (document: SentDocumentDetails): readonly MetadataLine[] => {
  const { filename, category, type, createdOn, receivedOn, retentionDate, size, pageCount, sha256 } = document;
  const retention: ShownValue =
    retentionDate === -1 ? { look: 'indefinite', text: t('date.indefinite') } : { look: 'mono', text: dayText(retentionDate) };
  const lines: readonly (readonly [string, ShownValue])[] = [
    [t('column.fileName'), { look: 'text', text: filename }],
    [t('sending.category'), { look: 'text', text: nameText(category.name) }],
    [t('sending.type'), { look: 'text', text: nameText(type.name) }],
    [t('sent.sendDate'), { look: 'mono', text: momentText(createdOn) }],
    ...(receivedOn === null ? [] : [[t('sent.RECEIVED'), { look: 'mono', text: momentText(receivedOn) }] as const]),
    [t('sent.retentionDate'), retention],
    [t('sent.size'), { look: 'text', text: bytesText(size) }],
    [t('sent.pageCount'), { look: 'text', text: numberText(pageCount, 0) }],
    [t('sent.checksum'), { look: 'checksum', text: sha256 }],
  ];
  return lines.map(([label, value]) => ({ id: label, label, value }));
};

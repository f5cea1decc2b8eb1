import type { AnswerOf, checkPublicDocument, DocumentDetails } from '@pergamin/contract';
import { Badge } from '#kit/feedback/Badge.tsx';
import { StateBanner } from '#kit/feedback/StateBanner.tsx';
import type { PdfPages } from '#kit/pdf/pdf-pages.ts';
import { ReceiptOffer } from '#kit/seal/ReceiptOffer.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { PageViewer } from '#kit/viewer/PageViewer.tsx';
import { useViewer } from '#kit/viewer/useViewer.ts';
import { momentText } from '#platform/dates.ts';
import { downloadReceipt } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { checksumOf, fileNameOf } from '#platform/metadata.ts';
import { usePublicMetadata } from '#platform/metadata.queries.ts';
import css from './PublicReader.module.css';

interface PublicReaderProps {
  readonly document: DocumentDetails;
  readonly pdf: PdfPages;
  readonly verdict: PublicVerdict | undefined;
  readonly onOpenNewVersion: (id: string) => void;
}

export type PublicVerdict = AnswerOf<typeof checkPublicDocument>;

const detailsWidthPx = 300;
const sealSizePx = 132;

/** The pages of a public document with everything that the viewer offers, and its data beside them. */
export function PublicReader({ document, pdf, verdict, onOpenNewVersion }: PublicReaderProps) {
  const { successor } = document;
  const viewer = useViewer({ source: pdf.source, count: pdf.count, sizes: document.pageSizes, startPage: 1 });
  return (
    <PageViewer
      viewer={viewer}
      details={<PublicDetails document={document} verdict={verdict} />}
      detailsWidth={detailsWidthPx}
      banner={
        <StateBanner state={document.state} onOpenNewVersion={successor === undefined ? undefined : () => onOpenNewVersion(successor)} />
      }
    />
  );
}

/** The seal and what the last check said, then the data of the document. */
function PublicDetails({ document, verdict }: Pick<PublicReaderProps, 'document' | 'verdict'>) {
  const { texts } = usePublicMetadata();
  const sha256 = checksumOf(document);
  const isSound = verdict?.status === 'SHA_CIF_OK';
  return (
    <>
      <section className={css['seal']}>
        {sha256 !== undefined && <Seal sha256={sha256} size={sealSizePx} look={verdict === undefined || isSound ? 'plain' : 'void'} />}
        {verdict === undefined ? (
          <p className={css['lead']}>{t('publicView.sealLead')}</p>
        ) : (
          <div className={css['verdict']}>
            <Badge tone={isSound ? 'ok' : 'bad'} icon={isSound ? 'seal-check-fill' : 'x-circle-fill'}>
              {t(isSound ? 'viewer.verified' : `check.${verdict.status}`)}
            </Badge>
            {verdict.checkedAt !== null && <p>{t('check.checkedAt', { time: momentText(verdict.checkedAt) })}</p>}
          </div>
        )}
      </section>
      <ReceiptOffer onDownload={() => downloadReceipt('public', { id: document.id, fileName: fileNameOf(document) })} />
      <div className={css['rows']}>
        <MetadataList lines={texts.linesOf(document.metadata, 'D')} />
      </div>
    </>
  );
}

import type { DocumentDetails } from '@pergamin/contract';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { ReceiptOffer } from '#kit/seal/ReceiptOffer.tsx';
import { SealBand } from '#kit/seal/SealBand.tsx';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { type CheckDetail, sentencesOfCheck, unprovedEntry } from '#platform/check-words.ts';
import { momentText } from '#platform/dates.ts';
import { downloadReceipt } from '#platform/download.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { checksumOf, fileNameOf, titleOf } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import css from './DetailsPanel.module.css';
import { DocumentHistory } from './DocumentHistory.tsx';
import { IssuerSeal } from './IssuerSeal.tsx';
import { FormerVersion, VersionLabel } from './OtherVersions.tsx';

const skeletonRows = 6;

/** What the verification of an opened document gave; `checkedAt`: when the stored bytes were last read again. */
export interface Checked extends CheckDetail {
  readonly checkedAt: number | null;
}

/** In a word or two. */
export const verdictOf = (checked: Checked): string => t(unprovedEntry(checked) === undefined ? 'viewer.verified' : 'viewer.fileVerified');

/** The verdict of the verification, then the metadata of the document (F4, F13). */
export function DetailsPanel({ document, checked }: { readonly document: DocumentDetails; readonly checked: Checked }) {
  const { checkedAt } = checked;
  const { texts, statementMarker, error, retry } = useMetadata();
  return (
    <>
      <SealBand sha256={checksumOf(document)}>
        <strong className={css['verified']} data-tone={unprovedEntry(checked) === undefined ? 'ok' : 'warn'}>
          <Icon name={unprovedEntry(checked) === undefined ? 'seal-check-fill' : 'warning-fill'} />
          {verdictOf(checked)}
        </strong>
        <div className={css['about']}>
          <p>{t('viewer.verifiedLead')}</p>
          {sentencesOfCheck(checked).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {checkedAt !== null && (
            <p>
              {t('viewer.verifiedAt')} <span className="num">{momentText(checkedAt)}</span>
            </p>
          )}
          <VersionLabel metadata={document.metadata} />
        </div>
      </SealBand>
      {document.seal !== undefined && <IssuerSeal seal={document.seal} />}
      <ReceiptOffer of="own" onDownload={() => downloadReceipt('own', { id: document.id, fileName: fileNameOf(document) })} />
      <FormerVersion document={document} />
      <div className={css['rows']}>
        {error !== null && (
          <>
            <p>{sentenceOf(error)}</p>
            <Button size="s" icon="arrow-clockwise" onClick={retry}>
              {t('error.tryAgain')}
            </Button>
          </>
        )}
        {error === null && statementMarker === undefined && <Skeleton rows={skeletonRows} label={t('list.loading')} />}
        {statementMarker !== undefined && <MetadataList lines={texts.linesOf(document.metadata, 'D')} />}
      </div>
      <DocumentHistory documentId={document.id} name={titleOf(document)} />
    </>
  );
}

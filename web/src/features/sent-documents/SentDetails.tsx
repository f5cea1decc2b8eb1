import type { SentDocumentDetails } from '@pergamin/contract';
import { Icon } from '#kit/icons/Icon.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { ReceiptOffer } from '#kit/seal/ReceiptOffer.tsx';
import { SealBand } from '#kit/seal/SealBand.tsx';
import { dayText, momentText } from '#platform/dates.ts';
import { downloadReceipt } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import type { MetadataLine, ShownValue } from '#platform/metadata.ts';
import { nameText } from '#platform/names.ts';
import { bytesText, numberText } from '#platform/numbers.ts';
import css from './SentDetails.module.css';

/** Where it stands, and everything that is known of it (H10). */
export function SentDetails({ document }: { readonly document: SentDocumentDetails }) {
  const { sha256, status, receivedOn, createdOn } = document;
  const isReceived = status === 'RECEIVED' && receivedOn !== null;
  return (
    <>
      <SealBand sha256={sha256}>
        <strong className={css['standing']} data-received={isReceived || undefined}>
          <Icon name={isReceived ? 'check-circle-fill' : 'paper-plane-tilt-fill'} />
          {t(isReceived ? 'sent.RECEIVED' : 'sent.SENT')}
        </strong>
        <p className="num">{momentText(isReceived ? receivedOn : createdOn)}</p>
      </SealBand>
      <ReceiptOffer onDownload={() => downloadReceipt('sent', { id: document.id, fileName: document.filename })} />
      <div className={css['rows']}>
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

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
  const line = (id: string, label: string, value: ShownValue): MetadataLine => ({ id, label, value });
  const text = (words: string): ShownValue => ({ look: 'text', text: words });
  const mono = (words: string): ShownValue => ({ look: 'mono', text: words });
  return [
    line('filename', t('column.fileName'), text(filename)),
    line('category', t('sending.category'), text(nameText(category.name))),
    line('type', t('sending.type'), text(nameText(type.name))),
    line('createdOn', t('sent.sendDate'), mono(momentText(createdOn))),
    ...(receivedOn === null ? [] : [line('receivedOn', t('sent.RECEIVED'), mono(momentText(receivedOn)))]),
    line(
      'retentionDate',
      t('sent.retentionDate'),
      retentionDate === -1 ? { look: 'indefinite', text: t('date.indefinite') } : mono(dayText(retentionDate)),
    ),
    line('size', t('sent.size'), text(bytesText(size))),
    line('pageCount', t('sent.pageCount'), text(numberText(pageCount, 0))),
    line('sha256', t('sent.checksum'), { look: 'checksum', text: sha256 }),
  ];
};

import type { DocumentRow } from '@pergamin/contract';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { OpeningFrame } from '#kit/viewer/OpeningFrame.tsx';
import { type WaitingDocument, WaitingSheet } from '#kit/viewer/WaitingSheet.tsx';
import { t } from '#platform/language.ts';
import { checksumOf, titleOf } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import reader from './DocumentReader.module.css';
import css from './OpeningDocument.module.css';

export const detailsWidthPx = 320;
const sealSizePx = 60;

/** The window of a document that a list already told of, until it was verified. */
export const OpeningDocument = ({ row }: { readonly row: DocumentRow }) => (
  <OpeningFrame
    waiting={<WaitingSheet {...waitingDocument(row)} text={t('viewer.opening')} />}
    details={
      <div className={css['panel']}>
        <KnownMetadata document={row} />
      </div>
    }
    detailsWidth={detailsWidthPx}
  />
);

/** Whether it was read, where the progress of reading will be. */
export const KnownReading = ({ row }: { readonly row: DocumentRow }) => (
  <span className={reader['read']}>{row.read !== null && t('viewer.alreadyRead')}</span>
);

/** In the place of the first page: whose pages they will be. */
export const waitingDocument = (document: Known): WaitingDocument => {
  const sha256 = checksumOf(document);
  return {
    title: titleOf(document),
    seal: sha256 !== undefined && <Seal sha256={sha256} size={sealSizePx} />,
    known: <KnownMetadata document={document} />,
  };
};

type Known = Pick<DocumentRow, 'id' | 'metadata'>;

/** Names and numbers as a reader knows them; the name is above, and the checksum has its seal. */
function KnownMetadata({ document }: { readonly document: Known }) {
  const { texts, statementMarker } = useMetadata();
  if (statementMarker === undefined) return null;
  const lines = texts.linesOf(document.metadata, 'D').filter(({ id, value }) => id !== 'FILE_NAME' && value.look !== 'checksum');
  return (
    <div className={css['known']}>
      <MetadataList lines={lines} />
    </div>
  );
}

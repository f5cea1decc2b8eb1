import type { DocumentRow } from '@pergamin/contract';
import type { PropsWithChildren } from 'react';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { OpeningFrame } from '#kit/viewer/PageViewer.tsx';
import { t } from '#platform/language.ts';
import { checksumOf, titleOf } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import css from './OpeningDocument.module.css';

export const detailsWidthPx = 320;
const sealSizePx = 60;

/** The window of a document that a list already told of, until it was verified. */
export const OpeningDocument = ({ row }: { readonly row: DocumentRow }) => (
  <OpeningFrame
    waiting={
      <WaitingSheet document={row}>
        <ProgressLabel text={t('viewer.opening')} />
      </WaitingSheet>
    }
    details={
      <div className={css['panel']}>
        <KnownMetadata document={row} />
      </div>
    }
    detailsWidth={detailsWidthPx}
  />
);

/** Lies where the first page will lie: whose pages they will be, and how far they are. */
export function WaitingSheet({ document, children }: PropsWithChildren<{ readonly document: Known }>) {
  const sha256 = checksumOf(document);
  return (
    <div className={css['sheet']}>
      <div className={css['head']}>
        {sha256 !== undefined && <Seal sha256={sha256} size={sealSizePx} />}
        <p className={css['title']}>{titleOf(document)}</p>
      </div>
      {children}
      <KnownMetadata document={document} />
    </div>
  );
}

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

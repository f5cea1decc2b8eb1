import { listIgnoreMarkers, listOwnDocuments, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { isUnread, opensByDownload } from '#lists/row-rules.ts';
import { Badge } from '#kit/feedback/Badge.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { emptyFile } from '#kit/seal/empty-file.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { SkeletonBar } from '#kit/feedback/Skeleton.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { call } from '#platform/api.ts';
import { dayText } from '#platform/dates.ts';
import { downloadOwnDocument } from '#platform/download.ts';
import { on } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { titleOf, type MetadataTexts } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import css from './RecentDocuments.module.css';

const shown = 3;
const sealSizePx = 104;
const noneSealSizePx = 84;

/** What the desk shows, and the palette before anything is asked. */
export const newestDocuments: DocumentQuery = {
  text: null,
  criteria: { metadata: [{ id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' }], period: null },
  sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: 0,
  size: shown,
};

interface RecentDocumentsProps {
  readonly onOpen: (document: { readonly id: string; readonly title: string; readonly opener: HTMLElement }) => void;
  readonly onAll: () => void;
}

/** The newest documents of the customer, each with its seal. */
export function RecentDocuments({ onOpen, onAll }: RecentDocumentsProps) {
  const titleId = useId();
  const queries = useQueryClient();
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: [listOwnDocuments.name, newestDocuments],
    queryFn: ({ signal }) => call(listOwnDocuments, { body: newestDocuments, signal }),
  });
  useEffect(() => on('documentUpdated', () => void queries.invalidateQueries({ queryKey: [listOwnDocuments.name] })), [queries]);
  const { texts } = useMetadata();
  const markers = useQuery({
    queryKey: [listIgnoreMarkers.name],
    queryFn: ({ signal }) => call(listIgnoreMarkers, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const handlePress = (document: DocumentRow, opener: HTMLElement) => {
    const { id, metadata } = document;
    const fileName = metadata['FILE_NAME'];
    if (opensByDownload(document, markers ?? []))
      void downloadOwnDocument({ id, fileName: fileName === undefined ? undefined : String(fileName) });
    else onOpen({ id, title: titleOf(document), opener });
  };
  return (
    <section aria-labelledby={titleId} aria-busy={isPending}>
      <header className={css['head']}>
        <h2 id={titleId}>{t('dashboard.recent')}</h2>
        {data !== undefined && data.total > 0 && <Button onClick={onAll}>{t('dashboard.allDocuments')}</Button>}
      </header>
      {isPending && <Placeholders />}
      {isError && (
        <div className={css['note']}>
          <p>{t('dashboard.recentFailed')}</p>
          <Button onClick={() => void refetch()}>{t('error.tryAgain')}</Button>
        </div>
      )}
      {data?.total === 0 && (
        <div className={css['none']}>
          <div className={css['faint']}>
            <Seal sha256={emptyFile} size={noneSealSizePx} />
          </div>
          <p>
            <b>{t('dashboard.noDocuments')}</b> {t('dashboard.noDocumentsLead')}
          </p>
        </div>
      )}
      {data !== undefined && data.total > 0 && (
        <ul className={css['cards']}>
          {data.items.map((document) => (
            <li key={document.id}>
              <DocumentCard document={document} texts={texts} onPress={(opener) => handlePress(document, opener)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface DocumentCardProps {
  readonly document: DocumentRow;
  readonly texts: MetadataTexts;
  readonly onPress: (opener: HTMLElement) => void;
}

function DocumentCard({ document, texts, onPress }: DocumentCardProps) {
  const { metadata } = document;
  const group = texts.textOf('PRIV_DOC_PRODUCT_GROUP', metadata['PRIV_DOC_PRODUCT_GROUP']);
  const published = metadata['PUBLICATION_DATE'];
  const unread = isUnread(document);
  return (
    <button
      type="button"
      className={css['card']}
      data-unread={unread || undefined}
      // The card is drawn anew when the desk is empty again: the focus finds it by this.
      data-opener={`recent:${document.id}`}
      onClick={(event) => onPress(event.currentTarget)}
    >
      <Seal sha256={String(metadata['CHECKSUM_SHA256'] ?? '')} size={sealSizePx} />
      <span className={css['lines']}>
        <b>
          <UnbrokenNumbers text={titleOf(document)} />
        </b>
        {group !== '' && <small>{group}</small>}
        <small className="num">{dayText(typeof published === 'boolean' ? undefined : published)}</small>
        {unread && <Badge tone="seal">{t('dashboard.new')}</Badge>}
      </span>
    </button>
  );
}

/** Bars in the place of the cards to come, so that nothing jumps. */
function Placeholders() {
  return (
    <div className={css['cards']} role="status">
      <span className="visually-hidden">{t('dashboard.loadingRecent')}</span>
      {Array.from({ length: shown }, (_, i) => (
        <div key={i} className={css['card']} aria-hidden="true">
          <span className={css['lines']} data-wide="">
            <SkeletonBar width={64} />
            <SkeletonBar width={42} />
            <SkeletonBar width={30} />
          </span>
        </div>
      ))}
    </div>
  );
}

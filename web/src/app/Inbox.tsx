import { listIgnoreMarkers, listOwnDocuments, type DocumentRow } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef } from 'react';
import { useUnreadReceived, useUnreadStatements } from '#features/received-documents/unread.queries.ts';
import { opensByDownload } from '#lists/row-rules.ts';
import { stateBadgeOf } from '#lists/state-badge.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { SkeletonBar } from '#kit/feedback/Skeleton.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';
import { emptyFile } from '#kit/seal/empty-file.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { callQuery, lastingCallQuery, useRefreshOn } from '#platform/call.queries.ts';
import { dayText } from '#platform/dates.ts';
import { downloadOwnDocument } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { checksumOf, fileNameOf, publishedAt, titleOf, type MetadataTexts } from '#platform/metadata.ts';
import css from './Inbox.module.css';
import { newestDocuments } from './newest-documents.ts';

const mostOnPhone = 4;
/** The style sheet makes it smaller where there is less room. */
const sealSizePx = 104;
const noneSealSizePx = 84;

interface InboxProps {
  readonly inbox: InboxState;
  readonly onOpen: (document: { readonly id: string; readonly title: string; readonly opener: HTMLElement }) => void;
  /** To the list of this kind, with all that is new in it. */
  readonly onList: (kind: 'received' | 'statements') => void;
}

/** The newest unread documents as sheets, each with its seal; when all is read, what was published last. */
export function Inbox({ inbox, onOpen, onList }: InboxProps) {
  const { state, documents } = inbox;
  const titleId = useId();
  const shown = usePhone() ? mostOnPhone : mostSheets;
  const { texts } = useMetadata();
  const { data: markers = [] } = useQuery(lastingCallQuery(listIgnoreMarkers, {}));
  const handlePress = (document: DocumentRow, opener: HTMLElement) => {
    const { id } = document;
    if (opensByDownload(document, markers)) void downloadOwnDocument({ id, fileName: fileNameOf(document) });
    else onOpen({ id, title: titleOf(document), opener });
  };
  return (
    <section className={css['inbox']} aria-labelledby={titleId} aria-busy={state === 'loading'}>
      <h2 id={titleId}>{t(state === 'unread' ? 'dashboard.inbox' : 'dashboard.recent')}</h2>
      {state === 'loading' && <Placeholders count={shown} />}
      {state === 'failed' && (
        <div className={css['note']}>
          <p>{t('dashboard.recentFailed')}</p>
          <Button onClick={inbox.retry}>{t('error.tryAgain')}</Button>
        </div>
      )}
      {state === 'none' && (
        <div className={css['note']}>
          <span className={css['faint']}>
            <Seal sha256={emptyFile} size={noneSealSizePx} />
          </span>
          <p>
            <b>{t('dashboard.noDocuments')}</b> {t('dashboard.noDocumentsLead')}
          </p>
        </div>
      )}
      {documents.length > 0 && (
        <>
          <Sheets {...{ documents: documents.slice(0, shown), isUnread: state === 'unread', texts, onPress: handlePress }} />
          <Ways inbox={inbox} shown={shown} onList={onList} />
        </>
      )}
    </section>
  );
}

/** To all that is new, where more of it waits than is shown; else to all documents. */
function Ways({ inbox: { state, total, received, statements }, shown, onList }: Omit<InboxProps, 'onOpen'> & { readonly shown: number }) {
  const hasMore = state === 'unread' && total > shown;
  const [newDocuments, newStatements] = hasMore ? [received?.count ?? 0, statements?.count ?? 0] : [0, 0];
  return (
    <p className={css['ways']}>
      {newDocuments > 0 && <Button onClick={() => onList('received')}>{t('dashboard.allNewDocuments', { total: newDocuments })}</Button>}
      {newStatements > 0 && (
        <Button onClick={() => onList('statements')}>{t('dashboard.allNewStatements', { total: newStatements })}</Button>
      )}
      {newDocuments + newStatements === 0 && <Button onClick={() => onList('received')}>{t('dashboard.allDocuments')}</Button>}
    </p>
  );
}

interface SheetsProps {
  readonly documents: readonly DocumentRow[];
  readonly isUnread: boolean;
  readonly texts: MetadataTexts;
  readonly onPress: (document: DocumentRow, opener: HTMLElement) => void;
}

/** Few of them lie broad, many upright. */
const fewSheets = 3;

function Sheets({ documents, isUnread, texts, onPress }: SheetsProps) {
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<number>(undefined);
  // A sheet that was read goes, and its successor takes the focus that it had.
  useLayoutEffect(() => {
    if (focused.current === undefined || (document.activeElement !== null && document.activeElement !== document.body)) return;
    const sheets = list.current?.querySelectorAll('button') ?? [];
    sheets[Math.min(focused.current, sheets.length - 1)]?.focus({ preventScroll: true });
  });
  return (
    <ul ref={list} className={css['sheets']} data-few={documents.length <= fewSheets || undefined}>
      {documents.map((document, index) => (
        <li key={document.id}>
          <button
            type="button"
            className={css['sheet']}
            data-unread={isUnread || undefined}
            // The sheet is drawn anew when the desk is empty again: the focus finds it by this, or the first one when it is gone.
            data-opener={`inbox:${document.id}`}
            data-desk-start={index === 0 ? '' : undefined}
            onFocus={() => (focused.current = index)}
            onBlur={() => (focused.current = undefined)}
            onClick={(event) => onPress(document, event.currentTarget)}
          >
            <Seal sha256={checksumOf(document) ?? ''} size={sealSizePx} />
            <Lines document={document} texts={texts} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Lines({ document: { metadata }, document, texts }: Pick<SheetsProps, 'texts'> & { readonly document: DocumentRow }) {
  const group = texts.textOf('PRIV_DOC_PRODUCT_GROUP', metadata['PRIV_DOC_PRODUCT_GROUP']);
  return (
    <span className={css['lines']}>
      <b>
        <UnbrokenNumbers text={titleOf(document)} />
      </b>
      {stateBadgeOf(document)}
      {group !== '' && <small>{group}</small>}
      <small className="num">{dayText(publishedAt(document))}</small>
    </span>
  );
}

/** Bars in the place of the sheets to come, so that nothing jumps. */
function Placeholders({ count }: { readonly count: number }) {
  return (
    <div className={css['sheets']} role="status">
      <span className="visually-hidden">{t('dashboard.loadingRecent')}</span>
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className={css['sheet']} aria-hidden="true">
          <span className={css['lines']} data-bars="">
            <SkeletonBar width={84} />
            <SkeletonBar width={62} />
            <SkeletonBar width={46} />
          </span>
        </div>
      ))}
    </div>
  );
}

const mostSheets = 6;
const [unreadOnes, newestOnes] = [newestDocuments(mostSheets, { unread: true }), newestDocuments(mostSheets)];

type InboxState = ReturnType<typeof useInbox>;

/** What waits to be read. Follows publications, reading and downloads as the lists do. */
export function useInbox() {
  const received = useUnreadReceived();
  const statements = useUnreadStatements();
  const unread = useQuery(callQuery(listOwnDocuments, { body: unreadOnes }));
  const isAllRead = unread.data?.total === 0;
  const newest = useQuery({ ...callQuery(listOwnDocuments, { body: newestOnes }), enabled: isAllRead });
  useRefreshOn('documentUpdated', listOwnDocuments);

  const { data, isError, fetchStatus, refetch } = isAllRead ? newest : unread;
  // Without a network the query waits for it.
  const missing = isError || fetchStatus === 'paused' ? 'failed' : 'loading';
  return {
    state: data === undefined ? missing : data.total === 0 ? 'none' : isAllRead ? 'read' : 'unread',
    /** The newest first, at most `mostSheets`: the unread ones, or what was published last when all of them are read. */
    documents: data?.items ?? [],
    total: data?.total ?? 0,
    received,
    statements,
    retry: () => void refetch(),
  } as const;
}

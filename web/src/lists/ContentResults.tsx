import { type AnswerOf, type DocumentRow, listLimits, searchOwnDocuments } from '@pergamin/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callQuery } from '#platform/call.queries.ts';
import { dayText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { checksumOf, publishedAt, titleOf } from '#platform/metadata.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import { Pager } from '#kit/table/Pager.tsx';
import { openMenuByMouse, RowOpener } from '#kit/table/RowParts.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import css from './ContentResults.module.css';
import { EmptyList, ListFailed } from './ListStates.tsx';

type Found = AnswerOf<typeof searchOwnDocuments>['items'][number];

interface ContentResultsProps {
  readonly text: string;
  readonly hrefOf: (id: string) => string | undefined;
  readonly onShow: (row: DocumentRow, page: number) => void;
  /** What else can be done with a document. */
  readonly menu: {
    readonly entries: (row: DocumentRow) => readonly MenuEntry[];
    readonly onAction: (row: DocumentRow, id: string) => void;
  };
}

/** Documents by the words on their pages: each with the page and the words around what was found. */
export function ContentResults({ text, hrefOf, onShow, menu }: ContentResultsProps) {
  const [pageSize, setPageSize] = useState<number>(listLimits.defaultPageSize);
  const [at, setAt] = useState({ text, page: 0 });
  const page = at.text === text ? at.page : 0;
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...callQuery(searchOwnDocuments, { body: { text, page, size: pageSize } }),
    placeholderData: keepPreviousData,
  });
  const total = isPlaceholderData ? undefined : data?.total;
  useEffect(() => {
    if (total !== undefined && text !== '') announce(t('list.found', { count: total }));
  }, [total, text]);
  if (error !== null) return <ListFailed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton look="table" rows={pageSize} label={t('list.loading')} />;
  if (data.total === 0) return <EmptyList text={t('search.nothingInContents')} onRefresh={() => void refetch()} />;
  return (
    <>
      <ol className={css['found']} aria-label={t('search.results')} aria-busy={isPlaceholderData || undefined}>
        {data.items.map((found) => (
          <Result key={found.document.id} {...{ found, hrefOf, onShow, menu }} />
        ))}
      </ol>
      <Pager
        page={page}
        pageSize={pageSize}
        total={data.total}
        onPage={(next) => setAt({ text, page: next })}
        onPageSize={(size) => {
          setPageSize(size);
          setAt({ text, page: 0 });
        }}
        name={t('search.results')}
      />
    </>
  );
}

function Result({ found, hrefOf, onShow, menu }: Omit<ContentResultsProps, 'text'> & { readonly found: Found }) {
  const { document, page, fragment } = found;
  return (
    // The menu has a button of its own.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={css['item']} onContextMenu={openMenuByMouse}>
      <Seal sha256={checksumOf(document) ?? ''} size={34} />
      <div>
        <RowOpener className={css['open']} href={hrefOf(document.id)} onOpen={() => onShow(document, page)}>
          <b>{titleOf(document)}</b>
          <span> {t('search.onPage', { page })}</span>
        </RowOpener>
        <p>
          {fragment.map(({ text, match }, i) => {
            // The parts of a fragment never change their places.
            // oxlint-disable-next-line react/no-array-index-key
            return match ? <mark key={i}>{text}</mark> : text;
          })}
        </p>
        <small className="num">{dayText(publishedAt(document))}</small>
      </div>
      <MenuButton
        icon="dots-three-vertical"
        name={t('list.moreNamed', { name: titleOf(document) })}
        placement="bottom end"
        entries={menu.entries(document)}
        onAction={(id) => (id === 'show' ? onShow(document, page) : menu.onAction(document, id))}
      />
    </li>
  );
}

import { getDocumentHistory, type HistoryEntry } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { partName } from '#kit/viewer/part-name.ts';
import { notShownText } from '#kit/viewer/reading-progress.ts';
import { callQuery } from '#platform/call.queries.ts';
import { momentText } from '#platform/dates.ts';
import { sentenceOf } from '#platform/errors.ts';
import { on } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { numberText } from '#platform/numbers.ts';
import css from './DocumentHistory.module.css';

const icons = {
  PUBLISHED: 'bank',
  NOTIFIED: 'envelope-simple',
  OPENED: 'folder-open',
  DOWNLOADED: 'download-simple',
  CLOSED: 'x',
  READ: 'eye',
  STATE_CHANGED: 'arrow-clockwise',
} as const;

const skeletonRows = 2;

/** What happened to a document, each with its moment and its event (G3); with its `name` where this is one of several parts of a window. */
export function DocumentHistory({ documentId, name }: { readonly documentId: string; readonly name?: string }) {
  const titleId = useId();
  const { data, error, refetch } = useQuery({ ...callQuery(getDocumentHistory, { params: { id: documentId } }), gcTime: 0 });
  // A download or the end of reading makes history.
  useEffect(() => on('documentUpdated', (updated) => void (updated.documentId === documentId && refetch())), [documentId, refetch]);
  const naming = name === undefined ? { 'aria-labelledby': titleId } : { 'aria-label': partName(t('history.title'), name) };
  return (
    <section className={css['history']} {...naming}>
      <h3 id={titleId}>{t('history.title')}</h3>
      {data === undefined && error === null && <Skeleton rows={skeletonRows} label={t('list.loading')} />}
      {error !== null && data === undefined && (
        <>
          <p>{t('history.failed')}</p>
          <p>{sentenceOf(error)}</p>
          <Button size="s" icon="arrow-clockwise" onClick={() => void refetch()}>
            {t('error.tryAgain')}
          </Button>
        </>
      )}
      {data !== undefined && (
        <ol>
          {data.items.map((entry) => (
            <li key={`${entry.event} ${entry.at} ${entry.after}`}>
              <span className={css['mark']}>
                <Icon name={icons[entry.event]} size="s" />
              </span>
              <span className={css['label']}>{t(`history.${entry.event}`)}</span>
              <span className="num">{momentText(entry.at)}</span>
              <span className={css['source']}>{sourceOf(entry)}</span>
              <span className={css['source']}>
                {entry.entry === null ? t('history.noEntry') : t('history.entry', { index: numberText(entry.entry.index + 1) })}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const sourceOf = ({ event, before, after, pagesNotShown }: HistoryEntry): string => {
  if (pagesNotShown !== undefined) return `${t(`history.source.${event}`)}. ${notShownText(pagesNotShown)}`;
  if (event !== 'STATE_CHANGED' || before === null || after === null) return t(`history.source.${event}`);
  return t('history.source.STATE_CHANGED', { before: t(`state.${before}`), after: t(`state.${after}`) });
};

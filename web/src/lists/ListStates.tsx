import type { ReactNode } from 'react';
import { languageTag, t } from '#platform/language.ts';
import { sentenceOf } from '#platform/errors.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import type { ListPlan, ListView } from './list-plan.ts';
import { cleared, firstPeriod, longerPeriod, periodOf } from './list-rules.ts';
import { periodText } from './period-text.ts';
import css from './ListStates.module.css';
import { organisationToday } from './useDocuments.ts';

interface EmptyListProps {
  readonly text: string;
  readonly onRefresh: () => void;
  /** What else can be done about it: buttons. */
  readonly children?: ReactNode;
}

/** In the place of rows when there are none. */
export function EmptyList({ text, onRefresh, children }: EmptyListProps) {
  return (
    <EmptyState
      title={t('list.empty')}
      text={text}
      action={
        <span className={css['ways']}>
          {children}
          <Button icon="arrow-clockwise" onClick={onRefresh}>
            {t('list.refresh')}
          </Button>
        </span>
      }
    />
  );
}

interface NothingFoundProps {
  readonly plan: ListPlan;
  readonly view: ListView;
  readonly onChange: (part: Partial<ListView>) => void;
  readonly onRefresh: () => void;
}

/** A name of a period, which begins with a capital where it stands alone. */
const inSentence = (name: string): string => name.charAt(0).toLocaleLowerCase(languageTag()) + name.slice(1);

/** Names the period that was searched, and offers what reaches further (D20). */
export function NothingFound({ plan, view, onChange, onRefresh }: NothingFoundProps) {
  const period = periodOf(plan, view);
  const longer = longerPeriod(plan, view, organisationToday());
  const isFiltered = view.filters.length > 0;
  // The word is kept while there are filters to leave out.
  const widest: Partial<ListView> = isFiltered ? cleared(plan, view, organisationToday()) : { text: '' };
  return (
    <EmptyList text={emptyText(view.text.trim(), period === 'EMPTY' ? undefined : periodText(period))} onRefresh={onRefresh}>
      {longer !== undefined && (
        <Button kind="primary" onClick={() => onChange({ period: longer })}>
          {t('list.searchPeriod', { period: inSentence(periodText(longer)) })}
        </Button>
      )}
      {(isFiltered || view.text !== '') && (
        <Button kind={longer === undefined ? 'primary' : 'secondary'} onClick={() => onChange(widest)}>
          {t('list.withoutFilters')}
        </Button>
      )}
    </EmptyList>
  );
}

const emptyText = (text: string, period: string | undefined): string => {
  if (text === '') return period === undefined ? t('list.emptyLead') : t('list.emptyInPeriod', { period });
  return period === undefined ? t('list.emptySought', { text }) : t('list.emptySoughtInPeriod', { text, period });
};

/** The view names no date to search by: nothing was sent (D8). */
export function NotAsked({ plan, onChange }: Pick<NothingFoundProps, 'plan' | 'onChange'>) {
  const period = firstPeriod(plan);
  return (
    <EmptyState
      title={t('filters.noDate')}
      text={plan.texts.noDate}
      action={
        <Button kind="primary" onClick={() => onChange({ period, filters: [] })}>
          {t('list.searchPeriod', { period: inSentence(periodText(period)) })}
        </Button>
      }
    />
  );
}

export function ListFailed({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }) {
  return <ErrorState title={t('list.failed')} text={sentenceOf(error)} onRetry={onRetry} />;
}

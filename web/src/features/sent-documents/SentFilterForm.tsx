import { FilterPanel, SortToggle, WrittenField } from '#lists/FilterPanel.tsx';
import { useDraft } from '#lists/useDraft.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { isChanged, noFilters, readDraft, sentFields, type SentFilters, type SentView, withFilter } from './sent-view.ts';
import type { SentOptions } from './sent.queries.ts';

interface SentFilterFormProps {
  readonly applied: SentFilters;
  readonly optionsOf: SentOptions;
  readonly order: SentView['order'];
  readonly onApply: (filters: SentFilters) => void;
  readonly onSort: () => void;
}

/** The filters of the sent documents. What is being written stays in here until it is applied (I1). */
export function SentFilterForm({ applied, optionsOf, order, onApply, onSort }: SentFilterFormProps) {
  const { draft, change, errors, setErrors } = useDraft(applied, (filters) => filters);
  const apply = (): string | undefined => {
    const read = readDraft(draft);
    if ('filters' in read) {
      onApply(read.filters);
      return undefined;
    }
    const wrong = errorsOf(read);
    setErrors(wrong);
    if ('isReversed' in read)
      emit('alert', { tone: 'error', title: t('filters.wrongDate'), detail: t('filters.selectCorrectRegistrationDate') });
    return Object.keys(wrong)[0];
  };
  const clear = (): void => {
    change(noFilters);
    if (isChanged(noFilters, applied)) onApply(noFilters);
  };
  const sort = [{ by: 'createdOn', order }];
  return (
    <FilterPanel changed={isChanged(draft, applied)} onApply={apply} onClear={clear}>
      {sentFields.map(({ key, label, look }) => (
        <WrittenField
          key={key}
          field={{ key, label: t(label), look }}
          written={{ value: draft[key], from: draft[key], to: draft[key] }}
          error={errors[key]}
          options={optionsOf(key, draft)}
          disabled={key === 'typeId' && draft.categoryId === ''}
          onWrite={({ value, from, to }) => change(withFilter(draft, key, (look === 'from' ? from : look === 'to' ? to : value) ?? ''))}
          toggle={key === 'after' && <SortToggle sortKey="createdOn" label={t('sent.sendDate')} sort={sort} onSort={onSort} />}
        />
      ))}
    </FilterPanel>
  );
}

const errorsOf = (wrong: Exclude<ReturnType<typeof readDraft>, { filters: SentFilters }>): Readonly<Record<string, string>> =>
  'unreadable' in wrong
    ? Object.fromEntries(wrong.unreadable.map((end) => [end, t('filters.notADay')]))
    : { before: t('filters.selectCorrectRegistrationDate') };

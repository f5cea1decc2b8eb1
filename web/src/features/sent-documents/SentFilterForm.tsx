import { listLimits } from '@pergamin/contract';
import { useState } from 'react';
import { DayField } from '#kit/forms/DayField.tsx';
import { readDay } from '#lists/day-text.ts';
import { FilterField, FilterPanel, SortToggle } from '#lists/FilterPanel.tsx';
import { Select, type SelectOption } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { draftOf, isChanged, noFilters, readDraft, type SentDraft, type SentFilters, type SentView } from './sent-view.ts';
import type { SentChoices } from './sent.queries.ts';

interface SentFilterFormProps {
  readonly applied: SentFilters;
  readonly choices: SentChoices;
  readonly order: SentView['order'];
  readonly onApply: (filters: SentFilters) => void;
  readonly onSort: () => void;
}

const all = '*';

/** The filters of the sent documents. What is being written stays in here until it is applied (I1). */
export function SentFilterForm({ applied, choices, order, onApply, onSort }: SentFilterFormProps) {
  const [seen, setSeen] = useState(applied);
  const [draft, setDraft] = useState(() => draftOf(applied));
  const [errors, setErrors] = useState<Errors>({});
  if (seen !== applied) {
    // A chip was taken away.
    setSeen(applied);
    setDraft(draftOf(applied));
    setErrors({});
  }
  const change = (part: Partial<SentDraft>): void => {
    setDraft({ ...draft, ...part });
    setErrors({});
  };
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
    setDraft(draftOf(noFilters));
    setErrors({});
    if (isChanged(draftOf(noFilters), applied)) onApply(noFilters);
  };
  const day = (end: 'after' | 'before', label: string) => (
    <DayField
      label={label}
      mode={end === 'after' ? 'from' : 'to'}
      value={{ from: draft.after, to: draft.before }}
      onChange={({ from, to }) => change({ after: from, before: to })}
      error={errors[end]}
      read={readDay}
    />
  );
  return (
    <FilterPanel changed={isChanged(draft, applied)} onApply={apply} onClear={clear}>
      <FilterField name="filename" label={t('column.fileName')}>
        <TextField
          label={t('column.fileName')}
          labelHidden
          value={draft.filename}
          maxLength={listLimits.textMaxLength}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ filename: event.target.value })}
        />
      </FilterField>
      <FilterField name="category" label={t('sending.category')}>
        <Select
          label={t('sending.category')}
          labelHidden
          options={withAll(choices.categories)}
          value={draft.categoryId ?? all}
          // A type belongs to its category.
          onChange={(id) => change({ categoryId: id === all ? undefined : id, typeId: undefined })}
        />
      </FilterField>
      <FilterField name="type" label={t('sending.type')}>
        <Select
          label={t('sending.type')}
          labelHidden
          options={withAll(choices.typesOf(draft.categoryId))}
          value={draft.typeId ?? all}
          disabled={draft.categoryId === undefined}
          onChange={(id) => change({ typeId: id === all ? undefined : id })}
        />
      </FilterField>
      <FilterField name="after" label={t('sent.sentAfter')} toggle={<SortToggle {...sorting(order)} onSort={onSort} />}>
        {day('after', t('sent.sentAfter'))}
      </FilterField>
      <FilterField name="before" label={t('sent.sentBefore')}>
        {day('before', t('sent.sentBefore'))}
      </FilterField>
    </FilterPanel>
  );
}

type Errors = Readonly<Partial<Record<'after' | 'before', string>>>;

const errorsOf = (wrong: Exclude<ReturnType<typeof readDraft>, { filters: SentFilters }>): Errors =>
  'unreadable' in wrong
    ? Object.fromEntries(wrong.unreadable.map((end) => [end, t('filters.notADay')]))
    : { before: t('filters.selectCorrectRegistrationDate') };

const withAll = (options: readonly SelectOption[]): readonly SelectOption[] => [{ id: all, label: t('filters.all') }, ...options];

const sorting = (order: SentView['order']) => ({
  sortKey: 'createdOn',
  label: t('sent.sendDate'),
  sort: [{ by: 'createdOn', order }],
});

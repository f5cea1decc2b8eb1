import { listLimits } from '@pergamin/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '#kit/Button.tsx';
import { DayField } from '#kit/DayField.tsx';
import { readDay, writtenDay } from '#lists/day-text.ts';
import { dayTexts } from '#lists/list-texts.ts';
import { SortToggle } from '#lists/SortToggle.tsx';
import { Select, type SelectOption } from '#kit/Select.tsx';
import { TextField } from '#kit/TextField.tsx';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import css from './SentFilterForm.module.css';
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
  const changed = isChanged(draft, applied);
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!changed) return;
    const read = readDraft(draft);
    if ('filters' in read) {
      onApply(read.filters);
      return;
    }
    const wrong = errorsOf(read);
    setErrors(wrong);
    if ('isReversed' in read)
      emit('alert', { tone: 'error', title: t('filters.wrongDate'), detail: t('filters.selectCorrectRegistrationDate') });
    const [first] = Object.keys(wrong);
    event.currentTarget.querySelector<HTMLElement>(`[data-field="${first}"] input`)?.focus();
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
      texts={dayTexts()}
      read={readDay}
      write={writtenDay}
    />
  );
  return (
    <form className={css['form']} aria-label={t('filters.title')} onSubmit={apply}>
      <div className={css['fields']}>
        <TextField
          label={t('column.fileName')}
          value={draft.filename}
          maxLength={listLimits.textMaxLength}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ filename: event.target.value })}
        />
        <Select
          label={t('sending.category')}
          options={withAll(choices.categories)}
          value={draft.categoryId ?? all}
          // A type belongs to its category.
          onChange={(id) => change({ categoryId: id === all ? undefined : id, typeId: undefined })}
        />
        <Select
          label={t('sending.type')}
          options={withAll(choices.typesOf(draft.categoryId))}
          value={draft.typeId ?? all}
          disabled={draft.categoryId === undefined}
          onChange={(id) => change({ typeId: id === all ? undefined : id })}
        />
        <Field name="after" label={t('sent.sentAfter')} toggle={<SortToggle {...sorting(order)} onSort={onSort} />}>
          {day('after', t('sent.sentAfter'))}
        </Field>
        <Field name="before" label={t('sent.sentBefore')}>
          {day('before', t('sent.sentBefore'))}
        </Field>
      </div>
      <div className={css['foot']}>
        <Button kind="primary" type="submit" wide disabledReason={changed ? undefined : t('filters.unchanged')}>
          {t('filters.apply')}
        </Button>
        <Button wide onClick={clear}>
          {t('filters.clear')}
        </Button>
      </div>
    </form>
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

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly toggle?: ReactNode;
  readonly children: ReactNode;
}

function Field({ name, label, toggle, children }: FieldProps) {
  return (
    <div className={css['field']} data-field={name}>
      <div className={css['top']}>
        <span aria-hidden="true">{label}</span>
        {toggle}
      </div>
      {children}
    </div>
  );
}

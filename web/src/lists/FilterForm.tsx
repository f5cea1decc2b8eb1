import { listLimits, offeredPeriods, type Period } from '@pergamin/contract';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { Button } from '#kit/Button.tsx';
import { DayField } from '#kit/DayField.tsx';
import { Select, type SelectOption } from '#kit/Select.tsx';
import { TextField } from '#kit/TextField.tsx';
import { readDay, writtenDay } from './day-text.ts';
import { draftOf, emptyDraft, filtersOf, isChanged, nothingWritten, type Draft } from './filter-draft.ts';
import css from './FilterForm.module.css';
import type { ListField, ListPlan, ListView } from './list-plan.ts';
import { refusalOf } from './list-rules.ts';
import { dayTexts, periodText } from './list-texts.ts';
import { SortToggle } from './SortToggle.tsx';
import { organisationToday } from './useDocuments.ts';

type Sought = Pick<ListView, 'period' | 'filters'>;

export interface FilterFormProps {
  readonly plan: ListPlan;
  readonly applied: Sought;
  readonly sort: ListView['sort'];
  readonly optionsOf: (key: string) => readonly SelectOption[];
  readonly onApply: (sought: Sought) => void;
  readonly onSort: (key: string) => void;
}

const all = '*';

/** The filters of a list. What is being written stays in here until it is applied: the rows know nothing of it. */
export function FilterForm({ plan, applied, sort, optionsOf, onApply, onSort }: FilterFormProps) {
  const formId = useId();
  const [seen, setSeen] = useState(applied);
  const [draft, setDraft] = useState(() => draftOf(plan, applied));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  if (seen.period !== applied.period || seen.filters !== applied.filters) {
    // A chip was taken away, or a saved view opened.
    setSeen(applied);
    setDraft(draftOf(plan, applied));
    setErrors({});
  }
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    setErrors({});
  };
  const changed = isChanged(plan, draft, applied);

  const apply = (event: FormEvent): void => {
    event.preventDefault();
    if (!changed) return;
    const wrong = errorsOf(plan, draft);
    setErrors(wrong.byField);
    if (wrong.alert !== undefined) emit('alert', { tone: 'error', ...wrong.alert });
    const [first] = Object.keys(wrong.byField);
    if (first === undefined) onApply({ period: draft.period, filters: filtersOf(plan, draft).filters });
    else document.getElementById(formId)?.querySelector<HTMLElement>(`[data-field="${first}"] input`)?.focus();
  };
  const clear = (): void => {
    const empty = emptyDraft(plan);
    setDraft(empty);
    setErrors({});
    if (isChanged(plan, empty, applied)) onApply({ period: empty.period, filters: [] });
  };
  return (
    <form id={formId} className={css['form']} aria-label={t('filters.title')} onSubmit={apply}>
      <div className={css['fields']}>
        {plan.period !== 'none' && (
          <div data-field="period">
            <Select
              label={t('filters.period')}
              options={periodOptions(plan, draft.period)}
              value={draft.period}
              onChange={(period) => change({ period: asPeriod(plan, period) })}
              error={errors['period']}
            />
          </div>
        )}
        {plan.fields.map((field) => (
          <div key={field.key} className={css['field']} data-field={field.key}>
            <div className={css['top']}>
              <span className={css['label']} aria-hidden="true">
                {field.label}
              </span>
              <SortToggle sortKey={field.key} label={field.label} sort={sort} onSort={onSort} />
            </div>
            <Control field={field} draft={draft} error={errors[field.key]} options={optionsOf} onChange={change} />
          </div>
        ))}
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

interface ControlProps {
  readonly field: ListField;
  readonly draft: Draft;
  readonly error: string | undefined;
  readonly options: (key: string) => readonly SelectOption[];
  readonly onChange: (part: Partial<Draft>) => void;
}

function Control({ field, draft, error, options, onChange }: ControlProps) {
  const { key, label, look } = field;
  const value = draft.values[key] ?? '';
  const setValue = (text: string) => onChange({ values: { ...draft.values, [key]: text } });
  if (look === 'text')
    return (
      <TextField
        label={label}
        labelHidden
        value={value}
        maxLength={listLimits.textMaxLength}
        mono={field.mono ?? false}
        placeholder={field.example}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setValue(event.target.value)}
      />
    );
  if (look === 'select') {
    const known = options(key);
    const shown = value === '' || known.some(({ id }) => id === value) ? known : [...known, { id: value, label: value }];
    return (
      <Select
        label={label}
        labelHidden
        options={[{ id: all, label: t('filters.all') }, ...shown]}
        value={value === '' ? all : value}
        onChange={(id) => setValue(id === all ? '' : id)}
      />
    );
  }
  return (
    <DayField
      label={label}
      mode={look}
      value={draft.days[key] ?? nothingWritten}
      onChange={(days) => onChange({ days: { ...draft.days, [key]: days } })}
      error={error}
      texts={dayTexts()}
      read={readDay}
      write={writtenDay}
    />
  );
}

const periodOptions = (plan: ListPlan, chosen: Period): readonly SelectOption[] => {
  const offered = offeredPeriods(organisationToday(), { withEmpty: plan.period === 'optional' });
  return [...offered, ...(offered.includes(chosen) ? [] : [chosen])].map((id) => ({ id, label: periodText(id) }));
};

const asPeriod = (plan: ListPlan, id: string): Period =>
  offeredPeriods(organisationToday(), { withEmpty: true }).find((period) => period === id) ?? emptyDraft(plan).period;

interface Wrong {
  readonly byField: Readonly<Record<string, string>>;
  readonly alert?: { readonly title: string; readonly detail: string };
}

/** What stands against searching by a form, at the field where it is mended (D8). */
const errorsOf = (plan: ListPlan, draft: Draft): Wrong => {
  const { filters, unreadable } = filtersOf(plan, draft);
  if (unreadable.length > 0) return { byField: Object.fromEntries(unreadable.map((key) => [key, t('filters.notADay')])) };
  const refusal = refusalOf(plan, { period: draft.period, filters }, organisationToday());
  if (refusal === undefined) return { byField: {} };
  const detail = refusal === 'none' ? plan.texts.noDate : plan.texts.wrongDate;
  return { byField: { [plan.dateKey]: detail }, alert: { title: t(refusal === 'none' ? 'filters.noDate' : 'filters.wrongDate'), detail } };
};

import { listLimits, offeredPeriods, type Period, unreadFilter } from '@pergamin/contract';
import { memo, useState } from 'react';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { DayField, type WrittenDays } from '#kit/forms/DayField.tsx';
import { Select, type SelectOption, type SelectProps } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { readDay } from './day-text.ts';
import { draftOf, emptyDraft, filtersOf, isChanged, nothingWritten, type Draft } from './filter-draft.ts';
import { FilterField, FilterPanel } from './FilterPanel.tsx';
import type { ListField, ListPlan, ListView } from './list-plan.ts';
import { cleared, crossedFields, refusalOf } from './list-rules.ts';
import { periodText } from './period-text.ts';
import { OrderSelect, orderId } from './OrderSelect.tsx';
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
  /** Left out where each field has its own sign for it. */
  readonly onOrder?: ((sort: ListView['sort']) => void) | undefined;
}

const all = '*';

/** The filters of a list. What is being written stays in here until it is applied: the rows know nothing of it. */
export const FilterForm = memo(function FilterForm({ plan, applied, sort, optionsOf, onApply, onSort, onOrder }: FilterFormProps) {
  const [seen, setSeen] = useState(applied);
  const [draft, setDraft] = useState(() => draftOf(plan, applied));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [order, setOrder] = useState<ListView['sort']>();
  const isReordered = order !== undefined && orderId(order) !== orderId(sort);
  if (seen.period !== applied.period || seen.filters !== applied.filters) {
    // A chip was taken away, or a saved view opened.
    setSeen(applied);
    setDraft(draftOf(plan, applied));
    setErrors({});
  }
  const change = useLatest((part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    setErrors({});
  });
  /** A period takes the place of the days that were written. */
  const changePeriod = (period: Period): void =>
    change(period === 'EMPTY' ? { period } : { period, days: { ...draft.days, [plan.dateKey]: nothingWritten } });
  const apply = (): string | undefined => {
    const wrong = errorsOf(plan, draft);
    setErrors(wrong.byField);
    if (wrong.alert !== undefined) emit('alert', { tone: 'error', ...wrong.alert });
    const [first] = Object.keys(wrong.byField);
    if (first !== undefined) return first;
    if (isReordered) onOrder?.(order);
    setOrder(undefined);
    onApply({ period: draft.period, filters: filtersOf(plan, draft).filters });
    return undefined;
  };
  const clear = (): void => {
    const empty = cleared(plan, applied, organisationToday());
    setDraft(draftOf(plan, empty));
    setErrors({});
    if (isChanged(plan, draftOf(plan, empty), applied)) onApply(empty);
  };
  return (
    <FilterPanel changed={isReordered || isChanged(plan, draft, applied)} onApply={apply} onClear={clear}>
      {plan.fields
        .filter(({ look }) => look === 'flag')
        .map(({ key, label }) => (
          <div key={key}>
            <Checkbox
              label={label}
              checked={draft.values[key] === unreadFilter.value}
              onChange={(checked) => change({ values: { ...draft.values, [key]: checked ? unreadFilter.value : '' } })}
            />
          </div>
        ))}
      {plan.period !== 'none' && <PeriodSelect plan={plan} value={draft.period} error={errors['period']} onChange={changePeriod} />}
      {plan.fields
        .filter(({ look }) => look !== 'flag')
        .map((field) => (
          <FilterField
            key={field.key}
            name={field.key}
            label={field.label}
            toggle={
              onOrder === undefined &&
              field.unsortable !== true && <SortToggle sortKey={field.key} label={field.label} sort={sort} onSort={onSort} />
            }
          >
            <Control
              field={field}
              value={draft.values[field.key] ?? ''}
              days={draft.days[field.key] ?? nothingWritten}
              error={errors[field.key]}
              options={optionsOf}
              onValue={(value) => change({ values: { ...draft.values, [field.key]: value } })}
              onDays={(days) => change({ days: { ...draft.days, [field.key]: days } })}
            />
          </FilterField>
        ))}
      {onOrder !== undefined && <OrderSelect fields={plan.fields} sort={order ?? sort} onChange={setOrder} />}
    </FilterPanel>
  );
});

interface PeriodSelectProps {
  readonly plan: ListPlan;
  readonly value: Period;
  readonly error: string | undefined;
  readonly onChange: (period: Period) => void;
}

function PeriodSelect({ plan, value, error, onChange }: PeriodSelectProps) {
  return (
    <FilterField name="period" label={t('filters.period')}>
      <Select
        label={t('filters.period')}
        labelHidden
        {...periodOptions(plan, value)}
        value={value}
        onChange={(period) => onChange(asPeriod(plan, period))}
        error={error}
      />
    </FilterField>
  );
}

interface ControlProps {
  readonly field: ListField;
  readonly value: string;
  readonly days: WrittenDays;
  readonly error: string | undefined;
  readonly options: (key: string) => readonly SelectOption[];
  readonly onValue: (value: string) => void;
  readonly onDays: (days: WrittenDays) => void;
}

function Control({ field, value, days, error, options, onValue, onDays }: ControlProps) {
  const { key, label, look } = field;
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
        onChange={(event) => onValue(event.target.value)}
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
        onChange={(id) => onValue(id === all ? '' : id)}
      />
    );
  }
  if (look === 'flag') return null;
  return <DayField label={label} mode={look} value={days} onChange={onDays} error={error} read={readDay} />;
}

/** The years stand under a name of their own (D15). */
const periodOptions = (plan: ListPlan, chosen: Period): Pick<SelectProps, 'options' | 'section'> => {
  const offered = offeredPeriods(organisationToday(), { withEmpty: plan.period === 'optional' });
  const all = [...offered, ...(offered.includes(chosen) ? [] : [chosen])].map((id) => ({ id, label: periodText(id) }));
  const isYear = ({ id }: SelectOption): boolean => id.startsWith('CALC_');
  return { options: all.filter((option) => !isYear(option)), section: { title: t('period.CALC'), options: all.filter(isYear) } };
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
  const today = organisationToday();
  const refusal = refusalOf(plan, { period: draft.period, filters }, today);
  if (refusal === undefined) return { byField: {} };
  const detail = refusal === 'none' ? plan.texts.noDate : plan.texts.wrongDate;
  const alert = { title: t(refusal === 'none' ? 'filters.noDate' : 'filters.wrongDate'), detail };
  const crossed = crossedFields(plan, filters);
  if (refusal === 'wrong' && crossed.length > 0) return { byField: Object.fromEntries(crossed.map((key) => [key, detail])), alert };
  const apart = refusal === 'wrong' && draft.period !== 'EMPTY';
  const reason = apart ? t('filters.periodApart', { period: periodText(draft.period) }) : undefined;
  return { byField: { [plan.dateKey]: reason === undefined ? detail : `${detail}. ${reason}` }, alert };
};

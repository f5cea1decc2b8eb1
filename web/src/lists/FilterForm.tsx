import { isPeriod, listLimits, offeredPeriods, type Period, unreadFilter } from '@pergamin/contract';
import { memo, useState } from 'react';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { DayField } from '#kit/forms/DayField.tsx';
import { Select, type SelectOption, type SelectProps } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { readDay } from './day-text.ts';
import { type Draft, draftOf, filtersOf, isChanged, nothingWritten, type Written } from './filter-draft.ts';
import { FilterField, FilterPanel, SortToggle } from './FilterPanel.tsx';
import type { ListField, ListPlan, ListView } from './list-plan.ts';
import { cleared, crossedFields, isDayField, refusalOf } from './list-rules.ts';
import { periodText } from './period-text.ts';
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
  const change = (next: Draft): void => {
    setDraft(next);
    setErrors({});
  };
  if (seen.period !== applied.period || seen.filters !== applied.filters) {
    // A chip was taken away, or a saved view opened.
    setSeen(applied);
    change(draftOf(plan, applied));
  }
  const writtenIn = (key: string): Written => draft.fields[key] ?? nothingWritten;
  const write = (key: string, part: Partial<Written>): void =>
    change({ ...draft, fields: { ...draft.fields, [key]: { ...writtenIn(key), ...part } } });
  /** A period takes the place of the days that were written. */
  const changePeriod = (period: Period): void =>
    change({ period, fields: period === 'EMPTY' ? draft.fields : { ...draft.fields, [plan.dateKey]: nothingWritten } });
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
    change(draftOf(plan, empty));
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
              checked={writtenIn(key).value === unreadFilter.value}
              onChange={(checked) => write(key, { value: checked ? unreadFilter.value : '' })}
            />
          </div>
        ))}
      {plan.period !== 'none' && (
        <FilterField name="period" label={t('filters.period')}>
          <Select
            label={t('filters.period')}
            labelHidden
            {...periodOptions(plan, draft.period)}
            value={draft.period}
            onChange={(period) => isPeriod(period) && changePeriod(period)}
          />
        </FilterField>
      )}
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
              written={writtenIn(field.key)}
              error={errors[field.key]}
              options={field.look === 'select' ? optionsOf(field.key) : []}
              onWrite={(part) => write(field.key, part)}
            />
          </FilterField>
        ))}
      {onOrder !== undefined && <OrderSelect fields={plan.fields} sort={order ?? sort} onChange={setOrder} />}
    </FilterPanel>
  );
});

interface ControlProps {
  readonly field: ListField;
  readonly written: Written;
  readonly error: string | undefined;
  /** Of a select. */
  readonly options: readonly SelectOption[];
  readonly onWrite: (part: Partial<Written>) => void;
}

function Control({ field, written, error, options, onWrite }: ControlProps) {
  const { label, look } = field;
  const { value } = written;
  if (look === 'range' || look === 'from' || look === 'to')
    return <DayField label={label} mode={look} value={written} onChange={onWrite} error={error} read={readDay} />;
  if (look === 'select') {
    const shown = value === '' || options.some(({ id }) => id === value) ? options : [...options, { id: value, label: value }];
    return (
      <Select
        label={label}
        labelHidden
        options={[{ id: all, label: t('filters.all') }, ...shown]}
        value={value === '' ? all : value}
        onChange={(id) => onWrite({ value: id === all ? '' : id })}
      />
    );
  }
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
      onChange={(event) => onWrite({ value: event.target.value })}
    />
  );
}

interface OrderSelectProps {
  readonly fields: ListPlan['fields'];
  readonly sort: ListView['sort'];
  readonly onChange: (sort: ListView['sort']) => void;
}

const usual = 'usual';
const orders = ['desc', 'asc'] as const;

/** The order of a list in words, where there are no heads of columns to press: on a phone. */
function OrderSelect({ fields, sort, onChange }: OrderSelectProps) {
  const choices = fields
    .filter(({ unsortable }) => unsortable !== true)
    .flatMap((field) =>
      orders.map((order) => {
        const chosen = [{ by: field.key, order }];
        return { id: orderId(chosen), label: t('list.orderBy', { column: field.label, direction: directionOf(field, order) }), chosen };
      }),
    );
  return (
    <FilterField name="order" label={t('list.order')}>
      <Select
        label={t('list.order')}
        labelHidden
        options={[{ id: usual, label: t('list.usualOrder') }, ...choices]}
        value={orderId(sort)}
        onChange={(id) => onChange(choices.find((choice) => choice.id === id)?.chosen ?? [])}
      />
    </FilterField>
  );
}

const orderId = ([first]: ListView['sort']): string => (first === undefined ? usual : `${first.by} ${first.order}`);

const directionOf = (field: ListField, order: (typeof orders)[number]): string => {
  if (!isDayField(field)) return t(order === 'desc' ? 'list.descending' : 'list.ascending');
  return t(order === 'desc' ? 'list.newestFirst' : 'list.oldestFirst');
};

/** The years stand under a name of their own (D15). */
const periodOptions = (plan: ListPlan, chosen: Period): Pick<SelectProps, 'options' | 'section'> => {
  const offered = offeredPeriods(organisationToday(), { withEmpty: plan.period === 'optional' });
  const periods = [...new Set([...offered, chosen])].map((id) => ({ id, label: periodText(id) }));
  const isYear = ({ id }: SelectOption): boolean => id.startsWith('CALC_');
  return { options: periods.filter((option) => !isYear(option)), section: { title: t('period.CALC'), options: periods.filter(isYear) } };
};

interface Wrong {
  readonly byField: Readonly<Record<string, string>>;
  readonly alert?: { readonly title: string; readonly detail: string };
}

/** What stands against searching by a form, at the field where it is mended (D8). */
const errorsOf = (plan: ListPlan, draft: Draft): Wrong => {
  const { filters, unreadable } = filtersOf(plan, draft);
  const at = (keys: readonly string[], error: string) => Object.fromEntries(keys.map((key) => [key, error]));
  if (unreadable.length > 0) return { byField: at(unreadable, t('filters.notADay')) };
  const refusal = refusalOf(plan, { period: draft.period, filters }, organisationToday());
  if (refusal === undefined) return { byField: {} };
  const { noDate, wrongDate } = plan.texts;
  if (refusal === 'none') return { byField: at([plan.dateKey], noDate), alert: { title: t('filters.noDate'), detail: noDate } };
  const alert = { title: t('filters.wrongDate'), detail: wrongDate };
  const crossed = crossedFields(plan, filters);
  if (crossed.length > 0) return { byField: at(crossed, wrongDate), alert };
  const apart = draft.period === 'EMPTY' ? '' : `. ${t('filters.periodApart', { period: periodText(draft.period) })}`;
  return { byField: at([plan.dateKey], `${wrongDate}${apart}`), alert };
};

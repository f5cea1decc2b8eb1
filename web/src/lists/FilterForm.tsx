import { isPeriod, offeredPeriods, type Period, type SavedFilter, unreadFilter } from '@pergamin/contract';
import { memo, useState } from 'react';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { Select, type SelectOption, type SelectProps } from '#kit/forms/Select.tsx';
import { readDay } from './day-text.ts';
import { FilterField, FilterPanel, SortToggle, type Written, WrittenField } from './FilterPanel.tsx';
import type { ListField, ListPlan, ListView, Sought } from './list-plan.ts';
import { cleared, crossedFields, isDayField, periodOf, refusalOf, tidyFilters } from './list-rules.ts';
import { periodText } from './period-text.ts';
import { organisationToday } from './useDocuments.ts';
import { useDraft } from './useDraft.ts';

interface Draft {
  readonly period: Period;
  readonly fields: Readonly<Record<string, Written>>;
}

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

/** The filters of a list. What is being written stays in here until it is applied: the rows know nothing of it. */
export const FilterForm = memo(function FilterForm({ plan, applied, sort, optionsOf, onApply, onSort, onOrder }: FilterFormProps) {
  const { draft, change, errors, setErrors } = useDraft(applied, (sought) => draftOf(plan, sought));
  const [order, setOrder] = useState<ListView['sort']>();
  const isReordered = order !== undefined && orderId(order) !== orderId(sort);
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
          <WrittenField
            key={field.key}
            field={field}
            written={writtenIn(field.key)}
            error={errors[field.key]}
            options={field.look === 'select' ? optionsOf(field.key) : []}
            onWrite={(part) => write(field.key, part)}
            toggle={
              onOrder === undefined &&
              field.unsortable !== true && <SortToggle sortKey={field.key} label={field.label} sort={sort} onSort={onSort} />
            }
          />
        ))}
      {onOrder !== undefined && <OrderSelect plan={plan} sort={order ?? sort} onChange={setOrder} />}
    </FilterPanel>
  );
});

interface OrderSelectProps extends Pick<FilterFormProps, 'plan' | 'sort'> {
  readonly onChange: (sort: ListView['sort']) => void;
}

const usual = 'usual';
const orders = ['desc', 'asc'] as const;

/** The order of a list in words, where there are no heads of columns to press: on a phone. */
function OrderSelect({ plan, sort, onChange }: OrderSelectProps) {
  const choices = plan.fields
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

const nothingWritten: Written = { value: '', from: '', to: '' };

const draftOf = (plan: ListPlan, { period, filters }: Sought): Draft => ({
  period: periodOf(plan, { period, filters }),
  fields: Object.fromEntries(filters.map((filter) => [filter.key, writtenOf(filter)])),
});

const writtenOf = (filter: SavedFilter): Written =>
  'value' in filter ? { ...nothingWritten, value: filter.value } : { value: '', from: filter.from ?? '', to: filter.to ?? '' };

/** The filters that a form says, and the keys of fields in which something else than a day is written. */
const filtersOf = (plan: ListPlan, draft: Draft): { readonly filters: SavedFilter[]; readonly unreadable: readonly string[] } => {
  const unreadable: string[] = [];
  const filters = plan.fields.map((field): SavedFilter => {
    const { key } = field;
    const written = draft.fields[key] ?? nothingWritten;
    if (!isDayField(field)) return { key, value: written.value };
    const [from, to] = [readDay(written.from), readDay(written.to)];
    if (from === undefined || to === undefined) unreadable.push(key);
    return { key, from: from ?? null, to: to ?? null };
  });
  return { filters: tidyFilters(plan, filters), unreadable };
};

/** Whether applying the form would change anything, or is needed to be told what is wrong in it (D9). */
const isChanged = (plan: ListPlan, draft: Draft, applied: Sought): boolean => {
  const { filters, unreadable } = filtersOf(plan, draft);
  return (
    unreadable.length > 0 ||
    draft.period !== periodOf(plan, applied) ||
    JSON.stringify(filters) !== JSON.stringify(tidyFilters(plan, applied.filters))
  );
};

import { t } from '#platform/language.ts';
import { Select } from '#kit/forms/Select.tsx';
import { FilterField } from './FilterPanel.tsx';
import type { ListField, ListPlan, ListView } from './list-plan.ts';
import { isDayField } from './list-rules.ts';

interface OrderSelectProps {
  readonly fields: ListPlan['fields'];
  readonly sort: ListView['sort'];
  readonly onChange: (sort: ListView['sort']) => void;
}

const usual = 'usual';
const orders = ['desc', 'asc'] as const;

/** The order of a list in words, where there are no heads of columns to press: on a phone. */
export function OrderSelect({ fields, sort, onChange }: OrderSelectProps) {
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

export const orderId = ([first]: ListView['sort']): string => (first === undefined ? usual : `${first.by} ${first.order}`);

const directionOf = (field: ListField, order: (typeof orders)[number]): string => {
  if (!isDayField(field)) return t(order === 'desc' ? 'list.descending' : 'list.ascending');
  return t(order === 'desc' ? 'list.newestFirst' : 'list.oldestFirst');
};

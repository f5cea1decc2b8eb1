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
    .flatMap((field) => orders.map((order) => ({ id: `${field.key} ${order}`, field, order })));
  return (
    <FilterField name="order" label={t('list.order')}>
      <Select
        label={t('list.order')}
        labelHidden
        options={[
          { id: usual, label: t('list.usualOrder') },
          ...choices.map(({ id, field, order }) => ({
            id,
            label: t('list.orderBy', { column: field.label, direction: directionOf(field, order) }),
          })),
        ]}
        value={orderId(sort)}
        onChange={(id) => {
          const chosen = choices.find((choice) => choice.id === id);
          onChange(chosen === undefined ? [] : [{ by: chosen.field.key, order: chosen.order }]);
        }}
      />
    </FilterField>
  );
}

export const orderId = ([first]: ListView['sort']): string => (first === undefined ? usual : `${first.by} ${first.order}`);

const directionOf = (field: ListField, order: (typeof orders)[number]): string => {
  if (!isDayField(field)) return t(order === 'desc' ? 'list.descending' : 'list.ascending');
  return t(order === 'desc' ? 'list.newestFirst' : 'list.oldestFirst');
};

import type { SavedFilter } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import type { MetadataTexts } from '#platform/metadata.ts';
import type { Chip } from './ChipRow.tsx';
import type { ListField, ListPlan, Sought } from './list-plan.ts';
import { periodOf, withoutFilter, withoutPeriod } from './list-rules.ts';
import { periodText } from './period-text.ts';
import { organisationToday } from './useDocuments.ts';

interface ChipParts {
  readonly view: Sought;
  readonly texts: MetadataTexts;
  readonly onChange: (part: Sought) => void;
}

/** What narrows the list now: one chip each, to be taken away. The usual period stays, so that it is always seen; removing always widens. */
export const chipsOf = (plan: ListPlan, { view, texts, onChange }: ChipParts): readonly Chip[] => {
  const today = organisationToday();
  const period = periodOf(plan, view);
  // What cannot be taken away without showing less, or nothing, has no button.
  const removal = (next: Sought | undefined) => next && (() => onChange(next));
  const ofFilters = plan.fields.flatMap((field): Chip[] => {
    const { key, look } = field;
    const filter = view.filters.find((one) => one.key === key);
    if (filter === undefined) return [];
    const label = look === 'flag' ? undefined : field.label;
    return [{ key, label, value: filterText(field, filter, texts), onRemove: removal(withoutFilter(plan, view, key, today)) }];
  });
  if (period === 'EMPTY') return ofFilters;
  const onRemove = removal(withoutPeriod(plan, view, today));
  return [{ key: 'period', label: t('filters.period'), value: periodText(period), onRemove }, ...ofFilters];
};

const filterText = (field: ListField, filter: SavedFilter, texts: MetadataTexts): string => {
  if (field.look === 'flag') return field.label;
  if ('value' in filter) return field.look === 'select' ? texts.textOf(field.key, filter.value) : filter.value;
  const { from, to } = filter;
  if (from === null) return t('filters.untilDay', { day: to ?? '' });
  return to === null ? t('filters.sinceDay', { day: from }) : `${from} – ${to}`;
};

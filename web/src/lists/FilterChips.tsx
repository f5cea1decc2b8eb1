import type { SavedFilter } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import type { MetadataTexts } from '#platform/metadata.ts';
import { type Chip, ChipRow, summaryOf } from './ChipRow.tsx';
import type { ListField, ListPlan, ListView } from './list-plan.ts';
import { periodOf, withoutFilter, withoutPeriod } from './list-rules.ts';
import { periodText } from './period-text.ts';
import { organisationToday } from './useDocuments.ts';

interface FilterChipsProps {
  readonly plan: ListPlan;
  readonly view: Pick<ListView, 'period' | 'filters'>;
  readonly texts: MetadataTexts;
  readonly onChange: (part: Pick<ListView, 'period' | 'filters'>) => void;
}

/** What narrows the list now: one chip each, to be taken away. The usual period stays, so that it is always seen; removing always widens. */
export function FilterChips({ plan, view, texts, onChange }: FilterChipsProps) {
  const today = organisationToday();
  const chips = chipsOf(plan, view, texts).map((chip): Chip => {
    const next = chip.key === 'period' ? withoutPeriod(plan, view, today) : withoutFilter(plan, view, chip.key, today);
    // What cannot be taken away without showing less, or nothing, has no button.
    return { ...chip, onRemove: next && (() => onChange(next)) };
  });
  return <ChipRow chips={chips} />;
}

/** The same in short, for a phone: what is narrowed is told by the filters themselves. */
export const narrowedBy = (plan: ListPlan, view: FilterChipsProps['view'], texts: MetadataTexts): string =>
  summaryOf(chipsOf(plan, view, texts));

const chipsOf = (plan: ListPlan, view: FilterChipsProps['view'], texts: MetadataTexts): readonly Chip[] => {
  const period = periodOf(plan, view);
  const ofPeriod = { key: 'period', label: t('filters.period'), value: periodText(period) };
  const ofFilters = plan.fields.flatMap((field): Chip[] => {
    const filter = view.filters.find(({ key }) => key === field.key);
    if (filter === undefined) return [];
    return [{ key: field.key, label: field.look === 'flag' ? undefined : field.label, value: filterText(field, filter, texts) }];
  });
  return period === 'EMPTY' ? ofFilters : [ofPeriod, ...ofFilters];
};

const filterText = (field: ListField, filter: SavedFilter, texts: MetadataTexts): string => {
  if (field.look === 'flag') return field.label;
  if ('value' in filter) return field.look === 'select' ? texts.textOf(field.key, filter.value) : filter.value;
  const { from, to } = filter;
  if (from === null) return t('filters.untilDay', { day: to ?? '' });
  return to === null ? t('filters.sinceDay', { day: from }) : `${from} – ${to}`;
};

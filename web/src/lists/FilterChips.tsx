import { t } from '#platform/language.ts';
import type { MetadataTexts } from '#platform/metadata.ts';
import { Chip } from './Chip.tsx';
import { ChipRow } from './ChipRow.tsx';
import type { ListField, ListPlan, ListView, SavedFilter } from './list-plan.ts';
import { countFilters, periodOf, withoutFilter, withoutPeriod } from './list-rules.ts';
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
  const period = periodOf(plan, view);
  /** A chip that cannot be taken away without showing less, or nothing, has no button. */
  const removing = (next: FilterChipsProps['view'] | undefined) => (next === undefined ? {} : { onRemove: () => onChange(next) });
  return (
    <ChipRow summary={narrowedBy(plan, view, texts)} count={countFilters(plan, view)}>
      {plan.period !== 'none' && period !== 'EMPTY' && (
        <Chip label={t('filters.period')} value={periodText(period)} {...removing(withoutPeriod(plan, view, today))} />
      )}
      {plan.fields.map((field) => {
        const filter = view.filters.find(({ key }) => key === field.key);
        if (filter === undefined) return null;
        return (
          <Chip
            key={field.key}
            label={field.look === 'flag' ? undefined : field.label}
            value={filterText(field, filter, texts)}
            {...removing(withoutFilter(plan, view, field.key, today))}
          />
        );
      })}
    </ChipRow>
  );
}

/** The same in short, for a phone: what is narrowed is told by the filters themselves. */
export const narrowedBy = (plan: ListPlan, view: FilterChipsProps['view'], texts: MetadataTexts): string => {
  const period = periodOf(plan, view);
  const filters = plan.fields.flatMap((field) => {
    const filter = view.filters.find(({ key }) => key === field.key);
    return filter === undefined ? [] : [filterText(field, filter, texts)];
  });
  return [...(plan.period === 'none' || period === 'EMPTY' ? [] : [periodText(period)]), ...filters].join(', ');
};

const filterText = (field: ListField, filter: SavedFilter, texts: MetadataTexts): string => {
  if (field.look === 'flag') return field.label;
  if ('value' in filter) return field.look === 'select' ? texts.textOf(field.key, filter.value) : filter.value;
  const { from, to } = filter;
  if (from === null) return t('filters.untilDay', { day: to ?? '' });
  return to === null ? t('filters.sinceDay', { day: from }) : `${from} – ${to}`;
};

import { t } from '#platform/language.ts';
import type { MetadataTexts } from '#platform/metadata.ts';
import { Chip } from './Chip.tsx';
import { writtenDay } from './day-text.ts';
import css from './FilterChips.module.css';
import type { ListField, ListPlan, ListView, SavedFilter } from './list-plan.ts';
import { firstPeriod, periodOf } from './list-rules.ts';
import { periodText } from './period-text.ts';

interface FilterChipsProps {
  readonly plan: ListPlan;
  readonly view: Pick<ListView, 'period' | 'filters'>;
  readonly texts: MetadataTexts;
  readonly onChange: (part: Pick<ListView, 'period' | 'filters'>) => void;
}

/** What narrows the list now: one chip each, to be taken away. The usual period stays, so that it is always seen. */
export function FilterChips({ plan, view, texts, onChange }: FilterChipsProps) {
  const period = periodOf(plan, view);
  const usual = firstPeriod(plan);
  const without = (key: string) => onChange({ period: view.period, filters: view.filters.filter((filter) => filter.key !== key) });
  return (
    <ul className={css['chips']} aria-label={t('filters.active')}>
      {plan.period !== 'none' && period !== 'EMPTY' && (
        <Chip
          label={t('filters.period')}
          value={periodText(period)}
          {...(period === usual ? {} : { onRemove: () => onChange({ period: usual, filters: view.filters }) })}
        />
      )}
      {plan.fields.map((field) => {
        const filter = view.filters.find(({ key }) => key === field.key);
        if (filter === undefined) return null;
        return <Chip key={field.key} label={field.label} value={filterText(field, filter, texts)} onRemove={() => without(field.key)} />;
      })}
    </ul>
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
  if ('value' in filter) return field.look === 'select' ? texts.textOf(field.key, filter.value) : filter.value;
  const [from, to] = [writtenDay(filter.from), writtenDay(filter.to)];
  if (filter.from === null) return t('filters.untilDay', { day: to });
  return filter.to === null ? t('filters.sinceDay', { day: from }) : `${from} – ${to}`;
};

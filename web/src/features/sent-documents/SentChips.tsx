import { ChipRow } from '#lists/ChipRow.tsx';
import { t } from '#platform/language.ts';
import { filterKeys, noFilters, type SentFilters, withoutFilter } from './sent-view.ts';
import type { SentChoices } from './sent.queries.ts';

interface SentChipsProps {
  readonly filters: SentFilters;
  readonly choices: SentChoices;
  readonly onChange: (filters: SentFilters) => void;
}

const labels = {
  filename: 'column.fileName',
  categoryId: 'sending.category',
  typeId: 'sending.type',
  after: 'sent.sentAfter',
  before: 'sent.sentBefore',
} as const;

/** What narrows the list now: one chip each, to be taken away. */
export function SentChips({ filters, choices, onChange }: SentChipsProps) {
  const nameIn = (options: SentChoices['categories'], id: string): string => options.find((option) => option.id === id)?.label ?? id;
  const valueOf = (key: keyof SentFilters): string => {
    const value = filters[key] ?? '';
    if (key === 'categoryId') return nameIn(choices.categories, value);
    if (key === 'typeId') return nameIn(choices.typesOf(filters.categoryId), value);
    return value;
  };
  const shown = filterKeys.filter((key) => filters[key] !== noFilters[key]);
  const chips = shown.map((key) => ({
    key,
    label: t(labels[key]),
    value: valueOf(key),
    onRemove: () => onChange(withoutFilter(filters, key)),
  }));
  return <ChipRow chips={chips} />;
}

import { memo, useState } from 'react';
import type { ReactNode } from 'react';
import { currentAppearance } from '#platform/appearance.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import css from './ListBar.module.css';
import { type ListSearch, SearchBox, SearchPlaceSelect } from './SearchBox.tsx';

interface ListBarProps {
  readonly search: ListSearch;
  readonly filtersOpen: boolean;
  readonly filtersId: string;
  readonly onFilters: () => void;
  /** Before all others. */
  readonly lead: ReactNode;
  readonly chips: ReactNode;
  /** At the right end: columns, export. */
  readonly tools: ReactNode;
}

/** Search, filters, what is on, and how the list looks. Another page or order does not change it. */
export const ListBar = memo(function ListBar({ search, filtersOpen, filtersId, onFilters, lead, chips, tools }: ListBarProps) {
  return (
    <div className={css['bar']}>
      {lead}
      <div className={css['search']}>
        <SearchBox label={search.label} text={search.text} onSearch={search.onSearch} />
      </div>
      {search.place && (
        <div className={css['place']}>
          <SearchPlaceSelect {...search.place} />
        </div>
      )}
      <Button icon="funnel-simple" aria-expanded={filtersOpen} aria-controls={filtersId} onClick={onFilters}>
        {t('filters.title')}
      </Button>
      {chips}
      <span className={css['end']}>
        <DensityToggle />
        {tools}
      </span>
    </div>
  );
});

function DensityToggle() {
  const [compact, setCompact] = useState(() => currentAppearance('density') === 'compact');
  return (
    <IconButton
      icon="rows"
      name={t('list.compact')}
      aria-pressed={compact}
      onClick={() => {
        chooseAppearance('density', compact ? 'comfortable' : 'compact');
        setCompact(!compact);
      }}
    />
  );
}

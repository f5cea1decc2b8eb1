import { useState } from 'react';
import type { ReactNode } from 'react';
import { chooseAppearance, currentAppearance } from '#platform/appearance.ts';
import { t } from '#platform/language.ts';
import { Button } from '#kit/Button.tsx';
import { IconButton } from '#kit/IconButton.tsx';
import css from './ListBar.module.css';
import { SearchBox, type SearchPlace, SearchPlaceSelect } from './SearchBox.tsx';

interface ListBarProps {
  readonly searchLabel: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly place?: SearchPlace | undefined;
  readonly filtersOpen: boolean;
  readonly filtersId: string;
  readonly onFilters: () => void;
  readonly chips: ReactNode;
  /** At the right end: columns, export. */
  readonly children: ReactNode;
}

/** Search, filters, what is on, and how the list looks. */
export function ListBar({ searchLabel, text, onSearch, place, filtersOpen, filtersId, onFilters, chips, children }: ListBarProps) {
  return (
    <div className={css['bar']}>
      <div className={css['search']}>
        <SearchBox label={searchLabel} text={text} onSearch={onSearch} />
      </div>
      {place && (
        <div className={css['place']}>
          <SearchPlaceSelect {...place} />
        </div>
      )}
      <Button icon="funnel-simple" aria-expanded={filtersOpen} aria-controls={filtersId} onClick={onFilters}>
        {t('filters.title')}
      </Button>
      {chips}
      <span className={css['end']}>
        <DensityToggle />
        {children}
      </span>
    </div>
  );
}

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

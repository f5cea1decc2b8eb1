import { useState } from 'react';
import { t } from '#platform/language.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import css from './PhoneBar.module.css';
import { type ListSearch, SearchBox, SearchPlaceSelect } from './SearchBox.tsx';

interface PhoneBarProps {
  readonly search: ListSearch;
  /** Above the filters, instead of behind a sign. */
  readonly searchFirst: boolean;
  readonly filtersOpen: boolean;
  readonly filtersId: string;
  readonly filterCount: number;
  /** What narrows the list, in short. */
  readonly summary: string;
  readonly onFilters: () => void;
  readonly menu?: { readonly entries: readonly MenuEntry[]; readonly onAction: (id: string) => void } | undefined;
}

/** The list's bar on a phone: a tab that unfolds the filters, the search behind its sign, the rest in a menu (A10, D11). */
export function PhoneBar(props: PhoneBarProps) {
  const { search, searchFirst, filterCount, filtersOpen, summary, menu } = props;
  const [searching, setSearching] = useState(search.text !== '');
  const field = (focusAtOnce: boolean) => (
    <div className={css['search']}>
      <SearchBox label={search.label} text={search.text} onSearch={search.onSearch} focusAtOnce={focusAtOnce} />
      {search.place && <SearchPlaceSelect {...search.place} />}
    </div>
  );
  return (
    <>
      {searchFirst && field(false)}
      <div className={css['bar']}>
        <button type="button" className={css['tab']} aria-expanded={filtersOpen} aria-controls={props.filtersId} onClick={props.onFilters}>
          <Icon name="funnel-simple" />
          <b>{t('filters.title')}</b>
          {filterCount > 0 && <span className={css['count']}>{filterCount}</span>}
          <span className={css['summary']}>{summary}</span>
          <Icon name={filtersOpen ? 'caret-up' : 'caret-down'} size="s" />
        </button>
        {!filtersOpen && (
          <>
            {!searchFirst && (
              <IconButton
                icon="magnifying-glass"
                name={search.label}
                aria-expanded={searching}
                onClick={() => setSearching((now) => !now || search.text !== '')}
              />
            )}
            {menu !== undefined && (
              <MenuButton
                // Not three dots: those right above it are the window's, those below it the rows'.
                icon="export"
                name={t('export.title')}
                placement="bottom end"
                entries={menu.entries}
                onAction={menu.onAction}
              />
            )}
          </>
        )}
      </div>
      {searching && !searchFirst && !filtersOpen && field(search.text === '')}
    </>
  );
}

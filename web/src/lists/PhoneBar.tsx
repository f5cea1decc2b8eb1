import { useState } from 'react';
import { t } from '#platform/language.ts';
import { Icon } from '#kit/Icon.tsx';
import { IconButton } from '#kit/IconButton.tsx';
import { MenuButton } from '#kit/MenuButton.tsx';
import type { MenuEntry } from '#kit/menu-entry.ts';
import css from './PhoneBar.module.css';
import { SearchBox, type SearchPlace, SearchPlaceSelect } from './SearchBox.tsx';

interface PhoneBarProps {
  readonly searchLabel: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly place?: SearchPlace | undefined;
  readonly filtersOpen: boolean;
  readonly filtersId: string;
  readonly filterCount: number;
  /** What narrows the list, in short. */
  readonly summary: string;
  readonly onFilters: () => void;
  readonly menu: readonly MenuEntry[];
  readonly onMenu: (id: string) => void;
}

/** The list's bar on a phone: a tab that unfolds the filters, the search behind its sign, the rest in a menu (A10, D11). */
export function PhoneBar(props: PhoneBarProps) {
  const { text, filterCount, filtersOpen, summary } = props;
  const [searching, setSearching] = useState(text !== '');
  return (
    <>
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
            <IconButton
              icon="magnifying-glass"
              name={props.searchLabel}
              aria-expanded={searching}
              onClick={() => setSearching((now) => !now || text !== '')}
            />
            {props.menu.length > 0 && (
              <MenuButton
                icon="dots-three-vertical"
                name={t('list.moreOfList')}
                placement="bottom end"
                entries={props.menu}
                onAction={props.onMenu}
              />
            )}
          </>
        )}
      </div>
      {searching && !filtersOpen && (
        <div className={css['search']}>
          <SearchBox label={props.searchLabel} text={text} onSearch={props.onSearch} focusAtOnce={text === ''} />
          {props.place && <SearchPlaceSelect {...props.place} />}
        </div>
      )}
    </>
  );
}

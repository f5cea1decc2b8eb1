import { useState } from 'react';
import { t } from '#platform/language.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import type { ListFrameProps } from './ListFrame.tsx';
import css from './PhoneBar.module.css';
import { SearchBox, SearchPlaceSelect } from './SearchBox.tsx';

/** The list's bar on a phone: a tab that unfolds the filters, the search behind its sign, the rest in a menu (A10, D11). */
export function PhoneBar({ drawer, searchFirst = false, filterCount, summary, menu, ...props }: ListFrameProps) {
  const { place, ...search } = props.search;
  const [searching, setSearching] = useState(search.text !== '');
  const field = (focusAtOnce: boolean) => (
    <div className={css['search']}>
      <SearchBox {...search} focusAtOnce={focusAtOnce} />
      {place && <SearchPlaceSelect {...place} />}
    </div>
  );
  return (
    <>
      {searchFirst && field(false)}
      <div className={css['bar']}>
        <button type="button" className={css['tab']} aria-expanded={drawer.isOpen} aria-controls={drawer.id} onClick={drawer.toggle}>
          <Icon name="funnel-simple" />
          <b>{t('filters.title')}</b>
          {filterCount > 0 && <span className={css['count']}>{filterCount}</span>}
          <span className={css['summary']}>{summary}</span>
          <Icon name={drawer.isOpen ? 'caret-up' : 'caret-down'} size="s" />
        </button>
        {!drawer.isOpen && !searchFirst && (
          <IconButton
            icon="magnifying-glass"
            name={search.label}
            aria-expanded={searching}
            onClick={() => setSearching((now) => !now || search.text !== '')}
          />
        )}
        {!drawer.isOpen && menu}
      </div>
      {searching && !searchFirst && !drawer.isOpen && field(search.text === '')}
    </>
  );
}

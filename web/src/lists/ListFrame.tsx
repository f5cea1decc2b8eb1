import { type ReactNode, useState } from 'react';
import { currentAppearance } from '#platform/appearance.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import barCss from './ListBar.module.css';
import css from './ListFrame.module.css';
import phoneCss from './PhoneBar.module.css';
import { type ListSearch, SearchBox, SearchPlaceSelect } from './SearchBox.tsx';
import type { FiltersDrawer } from './useFiltersDrawer.ts';

interface ListFrameProps {
  readonly drawer: FiltersDrawer;
  readonly search: ListSearch;
  /** On a phone it is seen from the first, above the filters, instead of behind a sign. */
  readonly searchFirst?: boolean | undefined;
  readonly filters: ReactNode;
  readonly filterCount: number;
  readonly chips: ReactNode;
  /** What narrows the list, in short, for a phone. */
  readonly summary?: string;
  /** What can be done with the whole list, for a phone. */
  readonly menu?: ReactNode;
  /** The first thing to do here: before the search, on a phone below the rows. */
  readonly lead?: ReactNode;
  /** At the right end of the bar: columns, export. */
  readonly tools?: ReactNode;
  /** In the place of the bar while rows are selected. */
  readonly selection?: ReactNode;
  readonly children: ReactNode;
}

/** Where a list has its parts, in a window as on a phone. */
export function ListFrame(props: ListFrameProps) {
  const { lead, selection } = props;
  const { id, isMeasured, phone, isOpen, isUsed, isWhole, toggle, setList } = props.drawer;
  return (
    <div ref={setList} className={css['list']} data-phone={phone || undefined}>
      {isMeasured && (
        <>
          {phone && <PhoneBar {...props} />}
          {!phone && isWhole && isOpen && (
            <div className={css['back']}>
              <Button kind="quiet" aria-expanded="true" aria-controls={id} onClick={toggle}>
                {t('filters.backToList')}
              </Button>
            </div>
          )}
          <div className={css['parts']}>
            <aside id={id} className={css['drawer']} data-whole={isWhole || undefined} hidden={!isOpen} aria-label={t('filters.panel')}>
              {isUsed && props.filters}
            </aside>
            {!(isWhole && isOpen) && (
              <div className={css['main']}>
                {!phone && (selection ?? <ListBar {...props} />)}
                {props.children}
                {phone && lead !== undefined && <div className={css['foot']}>{lead}</div>}
              </div>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** Search, filters, what is on, and how the list looks. */
function ListBar({ drawer, search: { place, ...search }, lead, chips, tools }: ListFrameProps) {
  return (
    <div className={barCss['bar']}>
      {lead}
      <div className={barCss['search']}>
        <SearchBox {...search} />
      </div>
      {place && (
        <div className={barCss['place']}>
          <SearchPlaceSelect {...place} />
        </div>
      )}
      <Button icon="funnel-simple" aria-expanded={drawer.isOpen} aria-controls={drawer.id} onClick={drawer.toggle}>
        {t('filters.title')}
      </Button>
      {chips}
      <span className={barCss['end']}>
        <DensityToggle />
        {tools}
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

/** The list's bar on a phone: a tab that unfolds the filters, the search behind its sign, the rest in a menu (A10, D11). */
function PhoneBar({ drawer, searchFirst = false, filterCount, summary, menu, ...props }: ListFrameProps) {
  const { place, ...search } = props.search;
  const [searching, setSearching] = useState(search.text !== '');
  const field = (focusAtOnce: boolean) => (
    <div className={phoneCss['search']}>
      <SearchBox {...search} focusAtOnce={focusAtOnce} />
      {place && <SearchPlaceSelect {...place} />}
    </div>
  );
  return (
    <>
      {searchFirst && field(false)}
      <div className={phoneCss['bar']}>
        <button type="button" className={phoneCss['tab']} aria-expanded={drawer.isOpen} aria-controls={drawer.id} onClick={drawer.toggle}>
          <Icon name="funnel-simple" />
          <b>{t('filters.title')}</b>
          {filterCount > 0 && <span className={phoneCss['count']}>{filterCount}</span>}
          <span className={phoneCss['summary']}>{summary}</span>
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

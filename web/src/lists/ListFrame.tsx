import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { ListBar } from './ListBar.tsx';
import css from './ListFrame.module.css';
import { PhoneBar } from './PhoneBar.tsx';
import type { ListSearch } from './SearchBox.tsx';
import type { FiltersDrawer } from './useFiltersDrawer.ts';

interface ListFrameProps {
  readonly drawer: FiltersDrawer;
  readonly search: ListSearch;
  /** On a phone it is seen from the first. */
  readonly searchFirst?: boolean;
  /** What stands in the drawer. */
  readonly filters: ReactNode;
  readonly filterCount: number;
  readonly chips: ReactNode;
  /** What narrows the list, in short, for a phone. */
  readonly summary?: string;
  /** What can be done with the whole list, for a phone. */
  readonly menu?: { readonly entries: readonly MenuEntry[]; readonly onAction: (id: string) => void };
  /** The first thing to do here: before the search, on a phone below the rows. */
  readonly lead?: ReactNode;
  /** At the right end of the bar. */
  readonly tools?: ReactNode;
  /** In the place of the bar while rows are selected. */
  readonly selection?: ReactNode;
  /** Rows and pages. */
  readonly children: ReactNode;
}

/** Where a list has its parts, in a window as on a phone. */
export function ListFrame(props: ListFrameProps) {
  const { isMeasured, phone, setList } = props.drawer;
  return (
    <div ref={setList} className={css['list']} data-phone={phone || undefined}>
      {isMeasured && <ListParts {...props} />}
    </div>
  );
}

function ListParts(props: ListFrameProps) {
  const { search, chips, lead, tools, selection } = props;
  const { id, phone, isOpen, isUsed, isWhole, toggle } = props.drawer;
  return (
    <>
      {phone && (
        <PhoneBar
          search={search}
          searchFirst={props.searchFirst === true}
          filtersOpen={isOpen}
          filtersId={id}
          filterCount={props.filterCount}
          summary={props.summary ?? ''}
          onFilters={toggle}
          menu={props.menu}
        />
      )}
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
            {!phone &&
              (selection ?? (
                <ListBar search={search} filtersOpen={isOpen} filtersId={id} onFilters={toggle} lead={lead} chips={chips} tools={tools} />
              ))}
            {props.children}
            {phone && lead !== undefined && <div className={css['foot']}>{lead}</div>}
          </div>
        )}
      </div>
    </>
  );
}

import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { ListBar } from './ListBar.tsx';
import css from './ListFrame.module.css';
import { PhoneBar } from './PhoneBar.tsx';
import type { ListSearch } from './SearchBox.tsx';
import type { FiltersDrawer } from './useFiltersDrawer.ts';

export interface ListFrameProps {
  readonly drawer: FiltersDrawer;
  readonly search: ListSearch;
  /** On a phone it is seen from the first, above the filters, instead of behind a sign. */
  readonly searchFirst?: boolean | undefined;
  /** What stands in the drawer. */
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
  /** Rows and pages. */
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

import { t } from '#platform/language.ts';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { ColumnGrip } from './ColumnGrip.tsx';
import css from './TableHead.module.css';
import { roles } from './table-roles.ts';
import type { HeadColumn, TableSort } from './table-parts.ts';

export interface TableHeadProps {
  readonly columns: readonly HeadColumn[];
  readonly sort: TableSort | undefined;
  readonly onSort: ((columnId: string) => void) | undefined;
  /** px of the column at this index while its edge is being dragged. */
  readonly onDrag: (index: number, width: number) => void;
  /** `undefined` gives the column back its first width. */
  readonly onWidth: (columnId: string, width: number | undefined) => void;
  /** How many of the rows are selected: from 0 to 1; `undefined` where they cannot be. */
  readonly selected: number | undefined;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly hasActions: boolean;
}

/** The head of a table: sorts by a column, sizes columns, selects all rows. It stays in sight while the rows scroll. */
export function TableHead(props: TableHeadProps) {
  const { columns, sort, onSort, onDrag, onWidth, selected, onSelectAll, hasActions } = props;
  return (
    <thead {...roles.group} className={css['head']}>
      <tr {...roles.row}>
        {selected !== undefined && (
          <th {...roles.head} scope="col" className={css['select']}>
            <Checkbox
              label={t('list.selectPage')}
              labelHidden
              checked={selected === 1}
              mixed={selected > 0 && selected < 1}
              onChange={onSelectAll}
            />
          </th>
        )}
        {columns.map(({ id, header, sortable }, index) => {
          const order = sort?.columnId === id ? (sort.descending ? 'descending' : 'ascending') : undefined;
          return (
            // Without its label the name would hold the grip's name too.
            <th key={id} {...roles.head} scope="col" aria-label={header} aria-sort={order}>
              {sortable && onSort ? (
                <button type="button" className={css['sort']} onClick={() => onSort(id)}>
                  <span>{header}</span>
                  <Icon name={order === undefined ? 'caret-down-bold' : 'arrow-down-bold'} size="xs" />
                </button>
              ) : (
                <span className={css['text']}>{header}</span>
              )}
              <ColumnGrip
                name={t('list.columnResize', { column: header })}
                onDrag={(width) => onDrag(index, width)}
                onWidth={(width) => onWidth(id, width)}
              />
            </th>
          );
        })}
        {hasActions && (
          <th {...roles.head} scope="col" className={css['actions']}>
            <span className="visually-hidden">{t('column.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

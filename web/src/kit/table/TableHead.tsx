import { t } from '#platform/language.ts';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { ColumnGrip } from './ColumnGrip.tsx';
import css from './TableHead.module.css';
import { roles } from './table-roles.ts';
import type { DataTableProps } from './DataTable.tsx';
import type { HeadColumn, TableSizing } from './table-parts.ts';

interface TableHeadProps extends Pick<DataTableProps<object>, 'sort'>, Pick<TableSizing, 'onWidth'> {
  readonly columns: readonly HeadColumn[];
  readonly onSort: ((columnId: string) => void) | undefined;
  /** How many of the rows are selected: from 0 to 1; `undefined` where they cannot be. */
  readonly selected: number | undefined;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly hasActions: boolean;
}

/** The head of a table: sorts by a column, sizes columns, selects all rows. It stays in sight while the rows scroll. */
export function TableHead(props: TableHeadProps) {
  const { columns, sort, onSort, onWidth, selected, onSelectAll, hasActions } = props;
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
        {columns.map(({ id, header, sortable }) => {
          const order = sort?.by === id ? (sort.order === 'desc' ? 'descending' : 'ascending') : undefined;
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
              <ColumnGrip name={t('list.columnResize', { column: header })} onWidth={(width) => onWidth(id, width)} />
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

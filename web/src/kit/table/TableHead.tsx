import { listLimits } from '@pergamin/contract';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { t } from '#platform/language.ts';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './TableHead.module.css';
import type { DataTableProps, TableViewProps } from './DataTable.tsx';
import { roles, type HeadColumn } from './table-parts.ts';

interface TableHeadProps extends Pick<DataTableProps<object>, 'sort' | 'onSort'>, Pick<TableViewProps<object>['sizing'], 'onWidth'> {
  readonly columns: readonly HeadColumn[];
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

interface ColumnGripProps {
  readonly name: string;
  /** px; `undefined` gives the column back its first width. */
  readonly onWidth: (width: number | undefined) => void;
}

const stepPx = 20;
const { columnMinWidthPx: minPx } = listLimits;
const widthOf = (grip: HTMLElement): number => grip.parentElement?.offsetWidth ?? minPx;

/** The edge of a column: drag it, use the arrow keys on it, or double-click for the first width. */
function ColumnGrip({ name, onWidth }: ColumnGripProps) {
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined);
  // Who does not see the column hears how wide it is now.
  const tell = (grip: HTMLElement, width: number) => grip.setAttribute('aria-valuenow', String(width));
  const resize = (grip: HTMLElement, wanted: number) => {
    const width = Math.max(minPx, Math.round(wanted));
    tell(grip, width);
    if (width !== widthOf(grip)) onWidth(width);
  };
  const handlePointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: widthOf(event.currentTarget) };
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLSpanElement>) => {
    const change = event.key === 'ArrowLeft' ? -stepPx : event.key === 'ArrowRight' ? stepPx : 0;
    if (change === 0) return;
    event.preventDefault();
    resize(event.currentTarget, widthOf(event.currentTarget) + change);
  };
  return (
    <span
      className={css['grip']}
      role="separator"
      aria-orientation="vertical"
      aria-label={name}
      aria-valuemin={minPx}
      aria-valuenow={minPx}
      tabIndex={0}
      onFocus={({ currentTarget }) => tell(currentTarget, widthOf(currentTarget))}
      onDoubleClick={() => onWidth(undefined)}
      onPointerDown={handlePointerDown}
      onPointerMove={({ currentTarget, clientX }) => {
        if (drag.current) resize(currentTarget, drag.current.width + clientX - drag.current.x);
      }}
      onLostPointerCapture={() => void (drag.current = undefined)}
      onKeyDown={handleKeyDown}
    />
  );
}

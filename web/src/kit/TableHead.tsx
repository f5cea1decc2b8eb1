import { listLimits } from '@pergamin/contract';
import { memo, useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { Checkbox } from './Checkbox.tsx';
import css from './DataTable.module.css';
import { Icon } from './Icon.tsx';
import { roles } from './table-roles.ts';
import type { HeadColumn, TableTexts } from './table-parts.ts';

export interface TableHeadProps {
  readonly columns: readonly HeadColumn[];
  /** Shows another width of the column at this index while it is being dragged. */
  readonly onDrag: (index: number, width: number) => void;
  readonly withActions: boolean;
  readonly texts: TableTexts;
  readonly sortedBy: string | undefined;
  readonly descending: boolean;
  readonly onSort: ((columnId: string) => void) | undefined;
  /** `undefined` gives the column back its first width. */
  readonly onWidth: (index: number, width: number | undefined) => void;
  /** How many of the rows are picked, where they can be. */
  readonly picked: 'none' | 'some' | 'all' | undefined;
  readonly onPickAll: (checked: boolean) => void;
}

/** Rendered anew when something in it changes, not with every page: all its properties are compared. */
export const TableHead = memo(function TableHead(props: TableHeadProps) {
  const { columns, onDrag, withActions, texts, sortedBy, descending, onSort, onWidth, picked, onPickAll } = props;
  return (
    <thead {...roles.group}>
      <tr {...roles.row}>
        {picked !== undefined && (
          <th {...roles.head} scope="col" className={css['pick']}>
            <Checkbox label={texts.selectAll ?? ''} labelHidden checked={picked === 'all'} mixed={picked === 'some'} onChange={onPickAll} />
          </th>
        )}
        {columns.map((column, i) => {
          const order = descending ? 'descending' : 'ascending';
          return (
            <th
              key={column.id}
              {...roles.head}
              scope="col"
              // Without it the name would hold the grip's name too.
              aria-label={column.header}
              data-align={column.align}
              aria-sort={sortedBy === column.id ? order : undefined}
            >
              {column.sortable && onSort ? (
                <button type="button" className={css['sort']} onClick={() => onSort(column.id)}>
                  <span>{column.header}</span>
                  {/* Both are there, and the style sheet shows one: another symbol would be fetched from the sprite anew. */}
                  <Icon name="caret-down-bold" size="xs" />
                  <Icon name="arrow-down-bold" size="xs" />
                </button>
              ) : (
                <span className={css['head-text']}>{column.header}</span>
              )}
              <ColumnGrip name={texts.resize(column.header)} onDrag={(width) => onDrag(i, width)} onWidth={(width) => onWidth(i, width)} />
            </th>
          );
        })}
        {withActions && (
          <th {...roles.head} scope="col">
            <span className="visually-hidden">{texts.actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
});

interface ColumnGripProps {
  readonly name: string;
  readonly onDrag: (width: number) => void;
  readonly onWidth: (width: number | undefined) => void;
}

const step = 20;

/** The edge of a column: drag it, use the arrow keys on it, or double-click for the first width. Rows are not rendered anew until it is let go. */
function ColumnGrip({ name, onDrag, onWidth }: ColumnGripProps) {
  const drag = useRef<{ readonly x: number; readonly width: number; last: number }>(undefined);
  const widthNow = (grip: HTMLElement) => grip.parentElement?.offsetWidth ?? listLimits.columnMinWidthPx;
  const tell = (grip: HTMLElement, width: number) => grip.setAttribute('aria-valuenow', String(width));
  const handlePointerMove = (event: PointerEvent<HTMLSpanElement>) => {
    if (!drag.current) return;
    drag.current.last = Math.max(listLimits.columnMinWidthPx, drag.current.width + event.clientX - drag.current.x);
    onDrag(drag.current.last);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLSpanElement>) => {
    const change = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0;
    if (change === 0) return;
    event.preventDefault();
    const width = Math.max(listLimits.columnMinWidthPx, widthNow(event.currentTarget) + change);
    // Whoever does not see the column hears how wide it is now.
    tell(event.currentTarget, width);
    onWidth(width);
  };
  return (
    <span
      className={css['grip']}
      role="separator"
      aria-orientation="vertical"
      aria-label={name}
      aria-valuemin={listLimits.columnMinWidthPx}
      aria-valuenow={listLimits.columnMinWidthPx}
      tabIndex={0}
      onFocus={(event) => tell(event.currentTarget, widthNow(event.currentTarget))}
      onDoubleClick={() => onWidth(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const width = widthNow(event.currentTarget);
        drag.current = { x: event.clientX, width, last: width };
      }}
      onPointerMove={handlePointerMove}
      onLostPointerCapture={() => {
        const moved = drag.current;
        drag.current = undefined;
        if (moved && moved.last !== moved.width) onWidth(moved.last);
      }}
      onKeyDown={handleKeyDown}
    />
  );
}

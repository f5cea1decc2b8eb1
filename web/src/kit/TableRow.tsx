import { memo } from 'react';
import type { ChangeEvent, ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './Icon.tsx';
import { LateSeal } from './LateSeal.tsx';
import { pickOf, RowButtons, RowPick, titleIdOf } from './RowControls.tsx';
import own from './TableRow.module.css';
import { roles } from './table-roles.ts';
import { useKeptCells } from './useKeptCells.tsx';
import type { RowState } from './useRowsInSight.ts';
import type { RowIdentity, RowLook, TableColumn, TableTexts } from './table-parts.ts';

export interface TableRowProps<Row> {
  readonly row: Row;
  /** Of the element, which may serve other rows later: what stands in it is called by it. */
  readonly slotId: string;
  readonly state: RowState;
  readonly selected: boolean;
  readonly look: RowLook<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly texts: TableTexts;
  readonly withMenu: boolean;
  /** Of the box of any row. */
  readonly onPick: ((event: ChangeEvent<HTMLInputElement>) => void) | undefined;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, state, selected, look } = props;
  const whole = state === 'whole';
  return (
    <tr
      {...roles.row}
      data-unread={(whole && look.isUnread?.(row) === true) || undefined}
      data-muted={(whole && look.isMuted?.(row) === true) || undefined}
      data-selected={selected || undefined}
      data-late={state === 'late' || undefined}
    >
      <TableCells {...props} />
    </tr>
  );
}

/** Rendered anew when its document, its selection or the look of all rows changes, and at no other time. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

function PlainTableCells<Row>(props: TableRowProps<Row>): ReactNode {
  const { row, slotId, state, selected, look, columns, texts, withMenu, onPick } = props;
  const cellOf = useKeptCells<Row>();
  const whole = state === 'whole';
  const identity = look.identity(row);
  const unread = whole && look.isUnread?.(row) === true;
  const first = (
    <td key="#first" {...roles.cell} className={own['two']} data-plain={identity.plain || undefined} data-second={onPick ? '' : undefined}>
      {whole && identity.plain !== true && markOf(identity)}
      {/* Whole or not, it is the same element: a focus on it stays. */}
      <span className={own['lines']}>
        {openerOf(identity, props, unread)}
        {whole && identity.detail !== undefined && <span className={own['detail']}>{identity.detail}</span>}
      </span>
      {whole && identity.badge}
    </td>
  );
  if (!whole) return [first];
  // One list: each one within another would be a part of its own to React, in every row.
  return [
    onPick !== undefined && (
      <RowPick
        key="#pick"
        {...pickOf({ slotId, title: identity.title, name: texts.select?.(identity.title) ?? identity.title })}
        checked={selected}
        onPick={onPick}
      />
    ),
    first,
    ...columns.map((column) => cellOf(column, row)),
    (look.actions !== undefined || withMenu) && (
      <RowButtons
        key="#acts"
        slotId={slotId}
        title={identity.title}
        actions={look.actions?.(row) ?? noActions}
        more={withMenu ? texts.more(identity.title) : undefined}
      />
    ),
  ];
}

const noActions = [] as const;

/**
 * A row that is late costs nothing: its cells stay as they were, and the next document is written into them when its turn comes. All other
 * rows are rendered only with something new.
 */
const isToStay = (_: TableRowProps<unknown>, { state }: TableRowProps<unknown>): boolean => state === 'late';
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
const TableCells = memo(PlainTableCells, isToStay) as typeof PlainTableCells;

/* What follows are no components: of a hundred rows each component would be a hundred. The table minds what is pressed in its rows. */

const markOf = ({ sha256, icon }: RowIdentity): ReactElement =>
  sha256 === undefined ? (
    <span className={own['mark']}>
      <Icon name={icon ?? 'file-text-duotone'} size="l" />
    </span>
  ) : (
    <LateSeal sha256={sha256} size={34} className={own['mark']} />
  );

const openerOf = <Row,>({ href, lead, title, plain }: RowIdentity, props: TableRowProps<Row>, unread: boolean): ReactElement => {
  const { slotId, texts, withMenu } = props;
  const whole = props.state === 'whole';
  const titleId = titleIdOf(slotId);
  const isTwo = lead !== undefined && plain !== true;
  const shown = {
    className: own['open'],
    'data-row-opener': '',
    'data-two': (whole && isTwo) || undefined,
    'data-tip': whole ? '' : undefined,
    'data-tip-from': whole ? titleId : undefined,
    'aria-keyshortcuts': withMenu ? 'Shift+F10' : undefined,
  };
  const text =
    !whole && plain !== true ? (
      title
    ) : (
      <>
        {lead !== undefined && <span className={classes(own['lead'], isTwo && own['above'])}>{`${lead} `}</span>}
        <span id={titleId} className={lead === undefined ? own['lead'] : isTwo ? own['under'] : 'visually-hidden'}>
          {title}
        </span>
        {unread && <span className="visually-hidden"> {texts.unread}</span>}
      </>
    );
  if (href !== undefined)
    return (
      <a href={href} {...shown}>
        {text}
      </a>
    );
  return (
    <button type="button" {...shown}>
      {text}
    </button>
  );
};

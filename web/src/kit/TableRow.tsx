import { memo } from 'react';
import type { ReactElement } from 'react';
import check from './Checkbox.module.css';
import { classes } from './classes.ts';
import css from './DataTable.module.css';
import { Icon } from './Icon.tsx';
import type { IconName } from './icon-names.ts';
import iconButton from './IconButton.module.css';
import buttons from './RowButtons.module.css';
import own from './TableRow.module.css';
import { LateSeal } from './LateSeal.tsx';
import { roles } from './table-roles.ts';
import type { RowState } from './useRowsInSight.ts';
import type { RowIdentity, RowLook, TableColumn, TableTexts } from './table-parts.ts';

export interface TableRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  /** Of the element, which may serve other rows later: what stands in it is called by it. */
  readonly slotId: string;
  readonly state: RowState;
  readonly selected: boolean;
  readonly look: RowLook<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly texts: TableTexts;
  readonly withMenu: boolean;
  readonly onSelect: ((id: string, checked: boolean) => void) | undefined;
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

function PlainTableCells<Row>(props: TableRowProps<Row>) {
  const { id, row, state, selected, look, columns, texts, onSelect } = props;
  const whole = state === 'whole';
  const identity = look.identity(row);
  const unread = whole && look.isUnread?.(row) === true;
  return (
    <>
      {whole && onSelect && (
        <td {...roles.cell} className={css['pick']}>
          <label className={check['check']}>
            <input
              type="checkbox"
              aria-label={texts.select?.(identity.title) ?? identity.title}
              checked={selected}
              onChange={(event) => onSelect(id, event.target.checked)}
            />
          </label>
        </td>
      )}
      <td {...roles.cell} className={own['two']} data-plain={identity.plain || undefined} data-second={onSelect ? '' : undefined}>
        {whole && identity.plain !== true && (
          <span className={own['mark']}>
            <Mark identity={identity} />
          </span>
        )}
        {/* Whole or not, it is the same element: a focus on it stays. */}
        <span className={own['lines']}>
          {openerOf(identity, props, unread)}
          {whole && identity.detail !== undefined && <span className={own['detail']}>{identity.detail}</span>}
        </span>
        {whole && identity.badge}
      </td>
      {whole &&
        columns.map((column) => (
          <td key={column.id} {...roles.cell} className={css['cut']} data-align={column.align}>
            {column.cell(row)}
          </td>
        ))}
      {whole && (look.actions !== undefined || props.withMenu) && (
        <td {...roles.cell} className={css['acts']}>
          {buttonsOf(props, identity)}
        </td>
      )}
    </>
  );
}

/**
 * A row that is late costs nothing: its cells stay as they were, and the next document is written into them when its turn comes. All other
 * rows are rendered only with something new.
 */
const isToStay = (_: TableRowProps<unknown>, { state }: TableRowProps<unknown>): boolean => state === 'late';
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
const TableCells = memo(PlainTableCells, isToStay) as typeof PlainTableCells;

function Mark({ identity }: { readonly identity: RowIdentity }) {
  if (identity.sha256 === undefined) return <Icon name={identity.icon ?? 'file-text-duotone'} size="l" />;
  return <LateSeal sha256={identity.sha256} size={34} />;
}

/* What follows are no components: of a hundred rows each component would be a hundred. The table minds what is pressed in its rows. */

const openerOf = <Row,>({ href, lead, title, plain }: RowIdentity, props: TableRowProps<Row>, unread: boolean): ReactElement => {
  const { texts, withMenu } = props;
  const whole = props.state === 'whole';
  const shown = {
    className: own['open'],
    'data-row-opener': '',
    'data-tip': whole ? title : undefined,
    'data-tip-cut': whole ? '' : undefined,
    'aria-keyshortcuts': withMenu ? 'Shift+F10' : undefined,
  };
  const isTwo = lead !== undefined && plain !== true;
  const text =
    !whole && plain !== true ? (
      title
    ) : (
      <>
        {lead !== undefined && <span className={classes(own['lead'], isTwo && own['above'])}>{`${lead} `}</span>}
        <span className={lead === undefined ? own['lead'] : isTwo ? own['under'] : 'visually-hidden'}>{title}</span>
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

const buttonClass = classes(iconButton['button'], iconButton['size-m'], buttons['button']);
const wordClass = classes(buttonClass, buttons['with-word']);

const buttonsOf = <Row,>({ row, look, slotId, texts, withMenu }: TableRowProps<Row>, { title }: RowIdentity): ReactElement => {
  const more = withMenu ? texts.more(title) : undefined;
  return (
    <>
      {look.actions?.(row).map((action) => {
        const reasonId = `${slotId}-${action.id}`;
        const blocked = action.disabledReason !== undefined;
        return (
          <button
            key={action.id}
            type="button"
            className={action.worded === true ? wordClass : buttonClass}
            aria-label={action.name}
            aria-disabled={blocked || undefined}
            aria-describedby={blocked ? reasonId : undefined}
            data-tip={action.disabledReason ?? ''}
            data-act={action.id}
          >
            {iconOf(action.icon)}
            {action.worded === true && (
              <span className={buttons['worded']} aria-hidden="true">
                {action.label}
              </span>
            )}
            {blocked && (
              <span id={reasonId} hidden>
                {action.disabledReason}
              </span>
            )}
          </button>
        );
      })}
      {more !== undefined && (
        <button type="button" id={`${slotId}-menu`} className={buttonClass} aria-label={more} aria-haspopup="menu" data-tip="" data-menu="">
          {iconOf('dots-three-vertical')}
        </button>
      )}
    </>
  );
};

const icons = new Map<IconName, ReactElement>();

/** The same element each time: React need not look into what never changes. */
const iconOf = (name: IconName): ReactElement => {
  const icon = icons.get(name) ?? <Icon name={name} size="m" />;
  icons.set(name, icon);
  return icon;
};

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
import { RowOpener } from './RowOpener.tsx';
import { roles } from './table-roles.ts';
import { describeRow, type RowIdentity, type RowLook, type TableColumn, type TableModel, type TableTexts } from './table-parts.ts';

export interface TableRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  /** With all its cells; otherwise by its name alone. */
  readonly whole: boolean;
  readonly selected: boolean;
  readonly look: RowLook<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly texts: TableTexts;
  /** Begins the ids of what stands in the rows. */
  readonly tableId: string;
  readonly withMenu: boolean;
  readonly onOpen: (row: Row) => void;
  readonly onSelect: ((id: string, checked: boolean) => void) | undefined;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { id, row, whole, selected, look, columns, texts, onSelect } = props;
  const model = describeRow(look, { id, row });
  const { identity } = model;
  return (
    <tr
      {...roles.row}
      data-row={id}
      data-unread={model.unread || undefined}
      data-muted={model.muted || undefined}
      data-selected={selected || undefined}
    >
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
      {/* Whole or not, its opener is the same element: a focus on it stays. */}
      <td {...roles.cell} className={own['two']} data-plain={identity.plain || undefined} data-second={onSelect ? '' : undefined}>
        {whole && identity.plain !== true && (
          <span className={own['mark']}>
            <Mark identity={identity} />
          </span>
        )}
        <span className={own['lines']}>
          <RowOpener
            className={own['open']}
            href={identity.href}
            title={identity.title}
            onOpen={() => props.onOpen(row)}
            menu={props.withMenu}
          >
            <Name identity={identity} />
            {whole && model.unread && <span className="visually-hidden"> {texts.unread}</span>}
          </RowOpener>
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
          <Actions {...props} model={model} />
        </td>
      )}
    </tr>
  );
}

/** Rendered anew when its document, its selection or the look of all rows changes, and at no other time. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

function Mark({ identity }: { readonly identity: RowIdentity }) {
  if (identity.sha256 === undefined) return <Icon name={identity.icon ?? 'file-text-duotone'} size="l" />;
  return <LateSeal sha256={identity.sha256} size={34} />;
}

function Name({ identity }: { readonly identity: RowIdentity }) {
  const { lead, title, plain } = identity;
  if (lead === undefined) return <span className={own['lead']}>{title}</span>;
  return (
    <>
      <span className={classes(own['lead'], plain === true ? undefined : own['above'])}>{`${lead} `}</span>
      <span className={plain ? 'visually-hidden' : own['under']}>{title}</span>
    </>
  );
}

/** The buttons of a row have no state of their own: a hundred rows have four hundred of them. What they do, and their tooltips, are the table's. */
function Actions<Row>({ id, model, texts, tableId, withMenu }: TableRowProps<Row> & { readonly model: TableModel<Row> }) {
  const className = classes(iconButton['button'], iconButton['size-m'], buttons['button']);
  const more = withMenu ? texts.more(model.identity.title) : undefined;
  return (
    <>
      {model.actions.map((action) => {
        const reasonId = `${tableId}-${id}-${action.id}`;
        const blocked = action.disabledReason !== undefined;
        return (
          <button
            key={action.id}
            type="button"
            className={action.worded === true ? classes(className, buttons['with-word']) : className}
            aria-label={action.name}
            aria-disabled={blocked || undefined}
            aria-describedby={blocked ? reasonId : undefined}
            data-tip={action.disabledReason ?? action.name}
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
        <button
          type="button"
          id={`${tableId}-${id}-menu`}
          className={className}
          aria-label={more}
          aria-haspopup="menu"
          data-tip={more}
          data-menu=""
        >
          {iconOf('dots-three-vertical')}
        </button>
      )}
    </>
  );
}

const icons = new Map<IconName, ReactElement>();

/** The same element each time: React need not look into what never changes. */
const iconOf = (name: IconName): ReactElement => {
  const icon = icons.get(name) ?? <Icon name={name} size="m" />;
  icons.set(name, icon);
  return icon;
};

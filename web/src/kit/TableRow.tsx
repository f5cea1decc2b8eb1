import { memo } from 'react';
import { Checkbox } from './Checkbox.tsx';
import { classes } from './classes.ts';
import css from './DataTable.module.css';
import { Icon } from './Icon.tsx';
import iconButton from './IconButton.module.css';
import buttons from './RowButtons.module.css';
import { LateSeal } from './LateSeal.tsx';
import { RowOpener } from './RowOpener.tsx';
import { describeRow, type RowIdentity, type RowLook, type TableColumn, type TableModel, type TableTexts } from './table-parts.ts';

export interface TableRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly selected: boolean;
  readonly look: RowLook<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly texts: TableTexts;
  /** Begins the ids of what stands in the rows. */
  readonly tableId: string;
  readonly withMenu: boolean;
  readonly onOpen: (row: Row) => void;
  readonly onAction: (row: Row, actionId: string) => void;
  readonly onMenu: (id: string, button: HTMLElement) => void;
  readonly onSelect: ((id: string, checked: boolean) => void) | undefined;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { id, row, selected, look, columns, texts, tableId, onSelect } = props;
  const model = describeRow(look, { id, row });
  const { identity } = model;
  return (
    <tr data-row={id} data-unread={model.unread || undefined} data-muted={model.muted || undefined} data-selected={selected || undefined}>
      {onSelect && (
        <td className={css['pick']}>
          <Checkbox
            label={texts.select?.(identity.title) ?? identity.title}
            labelHidden
            checked={selected}
            onChange={(checked) => onSelect(id, checked)}
          />
        </td>
      )}
      <td>
        <div className={css['two']} data-plain={identity.plain || undefined}>
          {identity.plain !== true && (
            <span className={css['mark']}>
              <Mark identity={identity} />
            </span>
          )}
          <span className={css['lines']}>
            <RowOpener
              className={css['open']}
              href={identity.href}
              title={identity.title}
              onOpen={() => props.onOpen(row)}
              menu={props.withMenu}
            >
              <Name identity={identity} />
              {model.unread && <span className="visually-hidden"> {texts.unread}</span>}
            </RowOpener>
            {identity.detail !== undefined && <span className={css['detail']}>{identity.detail}</span>}
          </span>
          {identity.badge}
        </div>
      </td>
      {columns.map((column) => (
        <td key={column.id} data-align={column.align}>
          <div className={css['cut']}>{column.cell(row)}</div>
        </td>
      ))}
      {(look.actions !== undefined || props.withMenu) && (
        <td className={css['acts']}>
          <Actions {...props} model={model} tableId={tableId} />
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
  if (lead === undefined) return <span className={css['lead']}>{title}</span>;
  return (
    <>
      <span className={css['lead']}>{lead} </span>
      <span className={plain ? 'visually-hidden' : css['under']}>{title}</span>
    </>
  );
}

/** The buttons of a row have no state of their own: a hundred rows have four hundred of them. Their tooltips are the table's. */
function Actions<Row>({ model, texts, tableId, withMenu, onAction, onMenu }: TableRowProps<Row> & { readonly model: TableModel<Row> }) {
  const { id, row, identity } = model;
  const className = classes(iconButton['button'], iconButton['size-m']);
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
            onClick={blocked ? undefined : () => onAction(row, action.id)}
          >
            <Icon name={action.icon} size="m" />
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
      {withMenu && (
        <button
          type="button"
          id={`${tableId}-${id}-menu`}
          className={className}
          aria-label={texts.more(identity.title)}
          aria-haspopup="menu"
          data-tip={texts.more(identity.title)}
          onClick={(event) => onMenu(id, event.currentTarget)}
        >
          <Icon name="dots-three-vertical" size="m" />
        </button>
      )}
    </>
  );
}

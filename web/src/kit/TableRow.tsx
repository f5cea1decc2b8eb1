import type { KeyboardEvent, MouseEvent } from 'react';
import { Checkbox } from './Checkbox.tsx';
import css from './DataTable.module.css';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { RowOpener } from './RowOpener.tsx';
import { Seal } from './Seal.tsx';
import type { TableColumn, TableModel, TableTexts } from './table-parts.ts';

export interface TableRowProps<Row> {
  readonly model: TableModel<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly texts: TableTexts;
  readonly withActions: boolean;
  readonly onOpen: (row: Row) => void;
  readonly onAction: (row: Row, actionId: string) => void;
  readonly onSelect?: (checked: boolean) => void;
}

export function TableRow<Row>({ model, columns, texts, withActions, onOpen, onAction, onSelect }: TableRowProps<Row>) {
  const { row, identity } = model;
  const handleDoubleClick = (event: MouseEvent) => {
    // The title and the buttons answer to single clicks already.
    if (event.target instanceof Element && event.target.closest('button, input, a, label')) return;
    onOpen(row);
  };
  return (
    <tr
      data-unread={model.unread || undefined}
      data-muted={model.muted || undefined}
      data-selected={model.selected || undefined}
      onDoubleClick={handleDoubleClick}
    >
      {onSelect && (
        <td className={css['pick']}>
          <Checkbox label={texts.select?.(identity.title) ?? identity.title} labelHidden checked={model.selected} onChange={onSelect} />
        </td>
      )}
      <td>
        <div className={css['two']}>
          <span className={css['mark']}>
            {identity.sha256 === undefined ? (
              <Icon name={identity.icon ?? 'file-text-duotone'} size="l" />
            ) : (
              <Seal sha256={identity.sha256} size={34} />
            )}
          </span>
          <span className={css['lines']}>
            <RowOpener
              className={css['open']}
              href={identity.href}
              title={identity.title}
              onOpen={() => onOpen(row)}
              onKeyDown={moveBetweenRows}
            >
              {identity.lead !== undefined && <span className={css['lead']}>{identity.lead} </span>}
              <span className={identity.lead === undefined ? css['lead'] : css['under']}>{identity.title}</span>
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
      {withActions && (
        <td className={css['acts']}>
          {model.actions.map((action) => (
            <IconButton
              key={action.id}
              icon={action.icon}
              name={action.name}
              disabledReason={action.disabledReason}
              onClick={() => onAction(row, action.id)}
            />
          ))}
        </td>
      )}
    </tr>
  );
}

/** Arrow keys, Home and End go from title to title; Tab still walks through everything. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const openers = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('[data-row-opener]') ?? [])];
  const at = openers.indexOf(event.currentTarget);
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: openers.length - 1 };
  const target = openers[to[event.key] ?? -1];
  if (!target) return;
  event.preventDefault();
  target.focus();
}

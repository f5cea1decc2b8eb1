import { memo } from 'react';
import type { KeyboardEvent, MouseEvent, ReactElement } from 'react';
import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { tip } from '#kit/overlays/tip.ts';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { RowIcon } from './RowIcon.tsx';
import { RowMark } from './RowMark.tsx';
import { RowOpener } from './RowOpener.tsx';
import css from './TableRow.module.css';
import { roles } from './table-roles.ts';
import type { MenuPlace, RowHandlers, RowIdentity, TableColumn } from './table-parts.ts';

export interface TableRowProps<Row> extends RowHandlers<Row> {
  readonly row: Row;
  /** The id of the button of its menu. */
  readonly menuId: string;
  readonly isSelected: boolean;
  readonly columns: readonly TableColumn<Row>[];
  /** Opens the row's menu. Without it a row has none. */
  readonly onMenu: ((row: Row, place: MenuPlace) => void) | undefined;
  /** Without it rows cannot be selected. */
  readonly onSelect: ((row: Row, isSelected: boolean) => void) | undefined;
}

function PlainTableRow<Row>({ row, menuId, isSelected, look, columns, onOpen, onAction, onMenu, onSelect }: TableRowProps<Row>) {
  const identity = look.identity(row);
  const isUnread = look.isUnread?.(row) === true;
  const openMenu = (from: Element, { x, y } = below(from)) =>
    onMenu?.(row, { x, y, opener: from.closest('tr')?.querySelector<HTMLElement>('[data-row-opener]') ?? null });
  const handleDoubleClick = (event: MouseEvent) => {
    // The title and the buttons answer to single clicks already.
    if (!isControl(event.target)) onOpen(row);
  };
  const handleContextMenu = (event: MouseEvent) => {
    // With Shift, or over marked text, the browser's own menu is what is wanted.
    if (onMenu === undefined || event.shiftKey || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    openMenu(event.currentTarget, { x: event.clientX, y: event.clientY });
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (onMenu === undefined || !(event.target instanceof Element) || !isMenuKey(event)) return;
    event.preventDefault();
    openMenu(event.target);
  };
  return (
    <tr
      {...roles.row}
      className={css['row']}
      data-unread={isUnread || undefined}
      data-muted={look.isMuted?.(row) === true || undefined}
      data-selected={isSelected || undefined}
      onDoubleClick={handleDoubleClick}
      onContextMenu={handleContextMenu}
      onKeyDown={handleKeyDown}
    >
      {onSelect !== undefined && (
        <td {...roles.cell} className={css['select']}>
          <Checkbox
            label={t('list.select', { name: identity.title })}
            labelHidden
            checked={isSelected}
            onChange={(checked) => onSelect(row, checked)}
          />
        </td>
      )}
      <td {...roles.cell} className={css['identity']} data-plain={identity.plain || undefined}>
        {identity.plain !== true && (
          <span className={css['mark']}>
            <RowMark identity={identity} size={34} />
          </span>
        )}
        <span className={css['lines']}>
          <RowOpener
            className={css['open']}
            href={identity.href}
            onOpen={() => onOpen(row)}
            aria-keyshortcuts={onMenu === undefined ? undefined : 'Shift+F10'}
            data-row-opener=""
            {...tip(identity.title, 'cut')}
          >
            {linesOf(identity)}
            {isUnread && <span className="visually-hidden"> {t('list.unread')}</span>}
          </RowOpener>
          {identity.detail !== undefined && <span className={css['detail']}>{identity.detail}</span>}
        </span>
        {identity.badge}
      </td>
      {columns.map((column) => (
        <td key={column.id} {...roles.cell} className={css['value']}>
          {column.cell(row)}
        </td>
      ))}
      {(look.actions !== undefined || onMenu !== undefined) && (
        <td {...roles.cell} className={css['actions']}>
          {look.actions?.(row).map(({ id, label, worded = false, ...button }) => (
            <IconButton key={id} {...button} word={worded ? label : undefined} onClick={() => onAction(row, id)}>
              <RowIcon name={button.icon} />
            </IconButton>
          ))}
          {onMenu !== undefined && (
            <IconButton
              id={menuId}
              icon="dots-three-vertical"
              name={t('list.moreNamed', { name: identity.title })}
              aria-haspopup="menu"
              onClick={(event) => openMenu(event.currentTarget)}
            >
              <RowIcon name="dots-three-vertical" />
            </IconButton>
          )}
        </td>
      )}
    </tr>
  );
}

/** One document of a table. Rendered again only when its document, its selection or the look of all rows changes. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

const isMenuKey = ({ key, shiftKey }: KeyboardEvent): boolean => key === 'ContextMenu' || (key === 'F10' && shiftKey);
const isControl = (target: EventTarget): boolean => target instanceof Element && target.closest('button, input, a, label') !== null;
const below = (element: Element): Pick<MenuPlace, 'x' | 'y'> => {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom };
};

const linesOf = ({ group, title, plain = false }: RowIdentity): ReactElement => {
  if (group !== undefined && plain)
    return (
      <>
        <span className={css['title']}>{`${group} `}</span>
        <span className="visually-hidden">{title}</span>
      </>
    );
  return (
    <>
      <span className={css['title']} data-may-be-cut="">
        <UnbrokenNumbers text={title} />
      </span>
      {group !== undefined && <span className={css['group']}>{` ${group}`}</span>}
    </>
  );
};

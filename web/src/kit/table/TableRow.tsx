import { memo } from 'react';
import type { KeyboardEvent, MouseEvent, ReactElement } from 'react';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { tip } from '#kit/overlays/tooltips.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { VerdictMark } from './VerdictMark.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { RowIcon } from './RowIcon.tsx';
import { RowOpener } from './RowOpener.tsx';
import css from './TableRow.module.css';
import { roles } from './table-roles.ts';
import type { Point, RowIdentity, RowLook, TableColumn } from './table-parts.ts';
import type { TableTexts } from './table-texts.ts';

export interface TableRowProps<Row> {
  readonly row: Row;
  /** Begins the ids of the elements in this row. */
  readonly domId: string;
  readonly isSelected: boolean;
  readonly look: RowLook<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly texts: TableTexts;
  readonly onOpen: (row: Row) => void;
  readonly onAction: (row: Row, actionId: string) => void;
  /** Opens the row's menu. Without it a row has none. */
  readonly onMenu: ((row: Row, at: Point) => void) | undefined;
  /** Without it rows cannot be selected. */
  readonly onSelect: ((row: Row, isSelected: boolean) => void) | undefined;
}

/** The id of the link or button that opens the row. */
export const openerIdOf = (domId: string): string => `${domId}-open`;
/** The id of the button that opens the row's menu, which names the menu. */
export const menuButtonIdOf = (domId: string): string => `${domId}-menu`;

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, domId, isSelected, look, columns, texts, onOpen, onAction, onMenu, onSelect } = props;
  const identity = look.identity(row);
  const isUnread = look.isUnread?.(row) === true;
  const handleDoubleClick = (event: MouseEvent) => {
    // The title and the buttons answer to single clicks already.
    if (!isControl(event.target)) onOpen(row);
  };
  const handleContextMenu = (event: MouseEvent) => {
    // With Shift, or over marked text, the browser's own menu is what is wanted.
    if (onMenu === undefined || event.shiftKey || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    onMenu(row, { x: event.clientX, y: event.clientY });
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (onMenu === undefined || !(event.target instanceof Element) || !isMenuKey(event)) return;
    event.preventDefault();
    onMenu(row, below(event.target));
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
          <Checkbox label={texts.select(identity.title)} labelHidden checked={isSelected} onChange={(checked) => onSelect(row, checked)} />
        </td>
      )}
      <td {...roles.cell} className={css['identity']} data-plain={identity.plain || undefined}>
        {identity.plain !== true && markOf(identity)}
        <span className={css['lines']}>
          <RowOpener
            id={openerIdOf(domId)}
            className={css['open']}
            href={identity.href}
            onOpen={() => onOpen(row)}
            aria-keyshortcuts={onMenu === undefined ? undefined : 'Shift+F10'}
            data-row-opener=""
            {...tip(identity.title, 'cut')}
          >
            {linesOf(identity)}
            {isUnread && <span className="visually-hidden"> {texts.unread}</span>}
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
              id={menuButtonIdOf(domId)}
              icon="dots-three-vertical"
              name={texts.more(identity.title)}
              aria-haspopup="menu"
              onClick={(event) => onMenu(row, below(event.currentTarget))}
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
const below = (element: Element): Point => {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom };
};

const markOf = ({ sha256, verdict }: RowIdentity): ReactElement => (
  <span className={css['mark']}>
    {sha256 === undefined ? <Icon name="file-text-duotone" size="l" /> : <Seal sha256={sha256} size={34} />}
    {verdict !== undefined && <VerdictMark verdict={verdict} />}
  </span>
);

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

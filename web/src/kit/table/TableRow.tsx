import { lazy, memo, Suspense, useId, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import type { MenuProps } from '#kit/overlays/Menu.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { tip } from '#kit/overlays/tip.ts';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { RowIcon } from './RowIcon.tsx';
import { RowMark } from './RowMark.tsx';
import { RowOpener } from './RowOpener.tsx';
import css from './TableRow.module.css';
import { roles, type RowIdentity, type RowProps, type TableColumn } from './table-parts.ts';

/** The entry of a row's menu that does the same as its box. */
const selectId = 'select';

const Menu = lazy(async () => ({ default: (await import('#kit/overlays/Menu.tsx')).Menu }));

export interface TableRowProps<Row> extends RowProps<Row> {
  readonly isSelected: boolean;
  readonly columns: readonly TableColumn<Row>[];
  /** Without it rows cannot be selected. */
  readonly onSelect: ((row: Row, isSelected: boolean) => void) | undefined;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, isSelected, columns, actions, menu, onOpen, onAction, onSelect } = props;
  const identity = props.identity(row);
  const menuId = useId();
  const [menuAt, setMenuAt] = useState<MenuPlace>();
  const entries = (): readonly MenuEntry[] => {
    const own = menu?.(row) ?? [];
    const label = t(isSelected ? 'list.deselectRow' : 'list.selectRow');
    return onSelect === undefined ? own : [...own, { separator: selectId }, { id: selectId, label, icon: 'check' }];
  };
  const openMenu = (from: Element, { x, y } = below(from)) =>
    setMenuAt({ x, y, opener: from.closest('tr')?.querySelector<HTMLElement>('[data-row-opener]') ?? null });
  const handleDoubleClick = (event: MouseEvent) => {
    // The title and the buttons answer to single clicks already.
    if (!isControl(event.target)) onOpen(row);
  };
  const handleContextMenu = (event: MouseEvent) => {
    // With Shift, or over marked text, the browser's own menu is what is wanted.
    if (menu === undefined || event.shiftKey || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    openMenu(event.currentTarget, { x: event.clientX, y: event.clientY });
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (menu === undefined || !(event.target instanceof Element) || !isMenuKey(event)) return;
    event.preventDefault();
    openMenu(event.target);
  };
  return (
    <>
      <tr
        {...roles.row}
        className={css['row']}
        data-unread={identity.unread || undefined}
        data-muted={identity.muted || undefined}
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
              aria-keyshortcuts={menu === undefined ? undefined : 'Shift+F10'}
              data-row-opener=""
              {...tip(identity.title, 'cut')}
            >
              <RowName {...identity} />
              {identity.unread === true && <span className="visually-hidden"> {t('list.unread')}</span>}
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
        {(actions !== undefined || menu !== undefined) && (
          <td {...roles.cell} className={css['actions']}>
            {actions?.(row).map(({ id, icon, name, label, worded = false, disabledReason }) => (
              <IconButton key={id} {...{ icon, name, disabledReason }} word={worded ? label : undefined} onClick={() => onAction(row, id)}>
                <RowIcon name={icon} />
              </IconButton>
            ))}
            {menu !== undefined && (
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
      {/* Beside the row, which would take the keys and clicks of its menu for its own. */}
      {menu !== undefined && menuAt !== undefined && (
        <RowMenu
          at={menuAt}
          labelledBy={menuId}
          entries={entries()}
          onAction={(id) => (id === selectId ? onSelect?.(row, !isSelected) : onAction(row, id))}
          onClose={() => setMenuAt(undefined)}
        />
      )}
    </>
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

/** Where the menu of a row opens: at the pointer, or below what was pressed; px in the viewport. */
interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** What opens the row: it has the focus once the menu has gone. */
  readonly opener: HTMLElement | null;
}

interface RowMenuProps extends Pick<MenuProps, 'labelledBy' | 'entries' | 'onAction' | 'onClose'> {
  readonly at: MenuPlace;
}

/** The menu of one row. */
function RowMenu({ at, onClose, ...menu }: RowMenuProps) {
  const anchor = useRef(at.opener);
  const handleClose = (): void => {
    onClose();
    // A pointer opened it where nothing had the focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) at.opener?.focus({ preventScroll: true });
    });
  };
  return (
    <Suspense>
      <Menu {...menu} anchor={anchor} at={at} focus="first" placement="bottom start" onClose={handleClose} />
    </Suspense>
  );
}

function RowName({ group, title, plain = false }: RowIdentity) {
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
}

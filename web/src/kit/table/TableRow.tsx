import dots from '@phosphor-icons/core/regular/dots-three-vertical.svg?raw';
import download from '@phosphor-icons/core/regular/download-simple.svg?raw';
import eye from '@phosphor-icons/core/regular/eye.svg?raw';
import sealCheck from '@phosphor-icons/core/regular/seal-check.svg?raw';
import { type KeyboardEvent, memo, type MouseEvent, useId, useRef, useState } from 'react';
import { onDemand } from '#platform/code-on-demand.ts';
import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { LoadBoundary } from '#kit/feedback/LoadBoundary.tsx';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import iconCss from '#kit/icons/Icon.module.css';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { MenuProps } from '#kit/overlays/Menu.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { tip } from '#kit/overlays/tip.ts';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import type { TableViewProps } from './DataTable.tsx';
import { RowMark, RowOpener, wantsBrowserMenu } from './RowParts.tsx';
import css from './TableRow.module.css';
import { roles, type RowIdentity } from './table-parts.ts';

const Menu = onDemand(async () => (await import('#kit/overlays/Menu.tsx')).Menu);

interface TableRowProps<Row extends object> extends Pick<
  TableViewProps<Row>,
  'columns' | 'identity' | 'actions' | 'menu' | 'onOpen' | 'onAction'
> {
  readonly row: Row;
  readonly isSelected: boolean;
  /** Without it rows cannot be selected. */
  readonly onSelect: ((row: Row, isSelected: boolean) => void) | undefined;
}

function PlainTableRow<Row extends object>(props: TableRowProps<Row>) {
  const { row, isSelected, columns, actions, menu, onOpen, onAction, onSelect } = props;
  const identity = props.identity(row);
  const menuId = useId();
  const [menuAt, setMenuAt] = useState<MenuPlace>();
  /** At the pointer, or below what was pressed. */
  const openMenu = (from: Element, pointer?: MouseEvent) => {
    const { left, bottom } = from.getBoundingClientRect();
    const opener = from.closest('tr')?.querySelector<HTMLElement>('[data-row-opener]') ?? null;
    setMenuAt({ x: pointer?.clientX ?? left, y: pointer?.clientY ?? bottom, opener });
  };
  const handleDoubleClick = ({ target }: MouseEvent) => {
    // The title and the buttons answer to single clicks already.
    if (!(target instanceof Element && target.closest('button, input, a, label'))) onOpen(row);
  };
  const handleContextMenu = (event: MouseEvent) => {
    if (menu === undefined || wantsBrowserMenu(event)) return;
    event.preventDefault();
    openMenu(event.currentTarget, event);
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
              <RowMark {...identity} size={34} />
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
          entries={[...menu(row), ...(onSelect === undefined ? [] : selectEntries(isSelected))]}
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

/** The entry of a row's menu that does the same as its box. */
const selectId = 'select';
const selectEntries = (isSelected: boolean): readonly MenuEntry[] => [
  { separator: selectId },
  { id: selectId, label: t(isSelected ? 'list.deselectRow' : 'list.selectRow'), icon: 'check' },
];

const isMenuKey = ({ key, shiftKey }: KeyboardEvent): boolean => key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Where the menu of a row opens; px in the viewport. */
interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** What opens the row: it has the focus once the menu has gone. */
  readonly opener: HTMLElement | null;
}

type RowMenuProps = Pick<MenuProps, 'labelledBy' | 'entries' | 'onAction' | 'onClose'> & { readonly at: MenuPlace };

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
    <LoadBoundary onFailed={handleClose}>
      <Menu.Component {...menu} anchor={anchor} at={at} focus="first" placement="bottom start" onClose={handleClose} />
    </LoadBoundary>
  );
}

function RowName({ group, title, plain = false }: RowIdentity) {
  const isGroupAlone = group !== undefined && plain;
  return (
    <>
      <span className={css['title']} data-may-be-cut={isGroupAlone ? undefined : ''}>
        {isGroupAlone ? `${group} ` : <UnbrokenNumbers text={title} />}
      </span>
      {isGroupAlone && <span className="visually-hidden">{title}</span>}
      {group !== undefined && !plain && <span className={css['group']}>{` ${group}`}</span>}
    </>
  );
}

const pathIn = (file: string): string => / d="([^"]+)"/.exec(file)?.[1] ?? '';
const paths: Partial<Record<IconName, string>> = {
  'dots-three-vertical': pathIn(dots),
  'download-simple': pathIn(download),
  eye: pathIn(eye),
  'seal-check': pathIn(sealCheck),
};

/**
 * Like `Icon`, for the buttons of a row. Drawn in place: the browser looks up and copies each reference to the sprite by itself, which took
 * 40 % of the work of another page of a hundred rows.
 */
function RowIcon({ name }: { readonly name: IconName }) {
  const path = paths[name];
  if (path === undefined) return <Icon name={name} />;
  return (
    <svg className={iconCss['icon']} viewBox="0 0 256 256">
      <path d={path} />
    </svg>
  );
}

import { memo } from 'react';
import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import type { DataTableProps } from './DataTable.tsx';
import { openMenuByMouse } from './menu-by-mouse.ts';
import css from './PhoneList.module.css';
import { RowMark } from './RowMark.tsx';
import { RowOpener } from './RowOpener.tsx';
import type { RowHandlers, ShownRows } from './table-parts.ts';

interface PhoneRowProps<Row> extends RowHandlers<Row> {
  readonly row: Row;
  readonly lines: (row: Row) => readonly ReactNode[];
}

type Shared = 'label' | 'rowId' | 'phoneLines';

/** The rows of a table under a thumb: tap to open, the rest in a menu. */
export function PhoneList<Row extends object>(props: Pick<DataTableProps<Row>, Shared> & ShownRows<Row>) {
  const { onScroller, look, onOpen, onAction, rowId } = props;
  return (
    <ul ref={onScroller} className={css['list']} aria-label={props.label} aria-busy={props.state === 'busy' || undefined}>
      {props.shownRows.map((row) => (
        <PhoneRow<Row> key={rowId(row)} row={row} look={look} lines={props.phoneLines} onOpen={onOpen} onAction={onAction} />
      ))}
    </ul>
  );
}

function PlainPhoneRow<Row>({ row, look, lines, onOpen, onAction }: PhoneRowProps<Row>) {
  const identity = look.identity(row);
  const { title, sha256, href, badge } = identity;
  const isUnread = look.isUnread?.(row) === true;
  const actions = look.actions?.(row) ?? [];
  const texts = lines(row);
  return (
    // The menu has a button of its own.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={css['item']} data-unread={isUnread || undefined} onContextMenu={openMenuByMouse}>
      <RowOpener className={css['open']} href={href} onOpen={() => onOpen(row)}>
        <span className={css['mark']}>
          <RowMark identity={identity} size={40} />
        </span>
        <span className={css['lines']}>
          <b>
            <UnbrokenNumbers text={title} />
            {isUnread && <span className="visually-hidden"> {t('list.unread')}</span>}
          </b>
          {texts.map((line, i) => (
            // The lines of a row are as fixed as its columns.
            // oxlint-disable-next-line react/no-array-index-key
            <small key={i}>{line}</small>
          ))}
          {badge}
        </span>
      </RowOpener>
      {actions.length > 0 && (
        <MenuButton
          icon="dots-three-vertical"
          name={t('list.moreNamed', { name: title })}
          placement="bottom end"
          head={<SheetHead title={title} sha256={sha256} line={texts[0]} />}
          entries={actions}
          onAction={(actionId) => onAction(row, actionId)}
        />
      )}
    </li>
  );
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
const PhoneRow = memo(PlainPhoneRow) as typeof PlainPhoneRow;

interface SheetHeadProps {
  readonly title: string;
  readonly sha256: string | undefined;
  /** The first of those under the name. */
  readonly line: ReactNode;
}

function SheetHead({ title, sha256, line }: SheetHeadProps) {
  return (
    <>
      {sha256 !== undefined && <Seal sha256={sha256} size={40} />}
      <span className={css['sheet-words']}>
        <strong className={css['sheet-title']}>
          <UnbrokenNumbers text={title} />
        </strong>
        {line !== undefined && <small>{line}</small>}
      </span>
    </>
  );
}

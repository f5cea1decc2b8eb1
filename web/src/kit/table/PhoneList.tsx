import { memo } from 'react';
import { t } from '#platform/language.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import type { TableViewProps } from './DataTable.tsx';
import css from './PhoneList.module.css';
import { openMenuByMouse, RowMark, RowOpener } from './RowParts.tsx';

/** The rows of a table under a thumb: tap to open, the rest in a menu. */
export function PhoneList<Row extends object>(props: TableViewProps<Row>) {
  const { identity, actions, menu, phoneLines, onScroller, onOpen, onAction } = props;
  return (
    <ul ref={onScroller} className={css['list']} aria-label={props.label} aria-busy={props.state === 'busy' || undefined}>
      {props.shownRows.map((row) => (
        <PhoneRow<Row> key={props.rowId(row)} {...{ row, identity, phoneLines, onOpen, onAction }} menu={menu ?? actions} />
      ))}
    </ul>
  );
}

type PhoneRowProps<Row extends object> = Pick<TableViewProps<Row>, 'identity' | 'menu' | 'phoneLines' | 'onOpen' | 'onAction'> & {
  readonly row: Row;
};

function PlainPhoneRow<Row extends object>(props: PhoneRowProps<Row>) {
  const { row, onOpen, onAction } = props;
  const identity = props.identity(row);
  const { title, sha256, href, badge, unread = false } = identity;
  const entries = props.menu?.(row) ?? [];
  const lines = props.phoneLines(row);
  return (
    // The menu has a button of its own.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={css['item']} data-unread={unread || undefined} onContextMenu={openMenuByMouse}>
      <RowOpener className={css['open']} href={href} onOpen={() => onOpen(row)}>
        <span className={css['mark']}>
          <RowMark {...identity} size={40} />
        </span>
        <span className={css['lines']}>
          <b>
            <UnbrokenNumbers text={title} />
            {unread && <span className="visually-hidden"> {t('list.unread')}</span>}
          </b>
          {lines.map((line, i) => (
            // The lines of a row are as fixed as its columns.
            // oxlint-disable-next-line react/no-array-index-key
            <small key={i}>{line}</small>
          ))}
          {badge}
        </span>
      </RowOpener>
      {entries.length > 0 && (
        <MenuButton
          icon="dots-three-vertical"
          name={t('list.moreNamed', { name: title })}
          placement="bottom end"
          head={
            <>
              {sha256 !== undefined && <Seal sha256={sha256} size={40} />}
              <span className={css['sheet-words']}>
                <strong className={css['sheet-title']}>
                  <UnbrokenNumbers text={title} />
                </strong>
                {lines[0] !== undefined && <small>{lines[0]}</small>}
              </span>
            </>
          }
          entries={entries}
          onAction={(actionId) => onAction(row, actionId)}
        />
      )}
    </li>
  );
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
const PhoneRow = memo(PlainPhoneRow) as typeof PlainPhoneRow;

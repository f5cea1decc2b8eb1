import { memo } from 'react';
import type { ReactNode, Ref } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { openMenuByMouse } from './menu-by-mouse.ts';
import css from './PhoneList.module.css';
import { RowOpener } from './RowOpener.tsx';
import type { RowLook } from './table-parts.ts';
import type { TableTexts } from './table-texts.ts';
import { VerdictMark } from './VerdictMark.tsx';

interface PhoneRowProps<Row> {
  readonly row: Row;
  readonly look: RowLook<Row>;
  readonly texts: TableTexts;
  readonly lines: (row: Row) => readonly ReactNode[];
  readonly onOpen: (row: Row) => void;
  readonly onAction: (row: Row, actionId: string) => void;
}

interface PhoneListProps<Row> extends Omit<PhoneRowProps<Row>, 'row'> {
  readonly scroller: Ref<HTMLUListElement>;
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly isBusy: boolean;
}

/** The rows of a table under a thumb: tap to open, the rest in a menu. */
export function PhoneList<Row>({ scroller, label, rows, rowId, isBusy, ...shared }: PhoneListProps<Row>) {
  return (
    <ul ref={scroller} className={css['list']} aria-label={label} aria-busy={isBusy || undefined}>
      {rows.map((row) => (
        <PhoneRow<Row> key={rowId(row)} row={row} {...shared} />
      ))}
    </ul>
  );
}

function PlainPhoneRow<Row>({ row, look, texts, lines, onOpen, onAction }: PhoneRowProps<Row>) {
  const { title, sha256, href, badge, verdict } = look.identity(row);
  const isUnread = look.isUnread?.(row) === true;
  const actions = look.actions?.(row) ?? [];
  return (
    // The menu has a button of its own.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li className={css['item']} data-unread={isUnread || undefined} onContextMenu={openMenuByMouse}>
      <RowOpener className={css['open']} href={href} onOpen={() => onOpen(row)}>
        <span className={css['mark']}>
          {sha256 === undefined ? <Icon name="file-text-duotone" size="xl" /> : <Seal sha256={sha256} size={40} />}
          {verdict !== undefined && <VerdictMark verdict={verdict} />}
        </span>
        <span className={css['lines']}>
          <b>
            <UnbrokenNumbers text={title} />
            {isUnread && <span className="visually-hidden"> {texts.unread}</span>}
          </b>
          {lines(row).map((line, i) => (
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
          name={texts.more(title)}
          placement="bottom end"
          head={<SheetHead title={title} sha256={sha256} line={lines(row)[0]} />}
          entries={actions.map(({ id, label, icon: actionIcon, disabledReason }) => ({ id, label, icon: actionIcon, disabledReason }))}
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

import type { ReactNode, Ref } from 'react';
import css from './PhoneList.module.css';
import { Icon } from './Icon.tsx';
import { MenuButton } from './MenuButton.tsx';
import { RowOpener } from './RowOpener.tsx';
import { Seal } from './Seal.tsx';
import type { TableModel, TableTexts } from './table-parts.ts';
import { UnbrokenNumbers } from './UnbrokenNumbers.tsx';
import { useRowsInTurn } from './useRowsInTurn.ts';

export interface PhoneListProps<Row> {
  readonly scroller: Ref<HTMLUListElement>;
  readonly onScroll: () => void;
  readonly label: string;
  readonly texts: TableTexts;
  readonly rows: readonly Row[];
  readonly model: (row: Row) => TableModel<Row>;
  readonly viewId: string | undefined;
  readonly lines: (row: Row) => readonly ReactNode[];
  readonly busy: boolean;
  readonly onOpen: (row: Row) => void;
  readonly onAction: (row: Row, actionId: string) => void;
}

/** The rows of a table under a thumb: tap to open, the rest in a menu. */
export function PhoneList<Row>(props: PhoneListProps<Row>) {
  const { scroller, onScroll, label, texts, rows, lines, busy, onOpen, onAction } = props;
  const { count } = useRowsInTurn(rows.length, props.viewId);
  const models = rows.slice(0, count).map(props.model);
  return (
    <ul ref={scroller} onScroll={onScroll} className={css['list']} aria-label={label} aria-busy={busy || undefined}>
      {models.map(({ id, row, identity, unread, actions }) => (
        <li key={id} className={css['item']} data-unread={unread || undefined}>
          <RowOpener className={css['open']} href={identity.href} onOpen={() => onOpen(row)}>
            {identity.sha256 === undefined ? (
              <Icon name={identity.icon ?? 'file-text-duotone'} size="xl" />
            ) : (
              <Seal sha256={identity.sha256} size={40} />
            )}
            <span className={css['lines']}>
              <b>
                <UnbrokenNumbers text={identity.title} />
                {unread && <span className="visually-hidden"> {texts.unread}</span>}
              </b>
              {lines(row).map((line, i) => (
                // The lines of a row are as fixed as its columns.
                // oxlint-disable-next-line react/no-array-index-key
                <small key={i}>{line}</small>
              ))}
              {identity.badge}
            </span>
          </RowOpener>
          {actions.length > 0 && (
            <MenuButton
              icon="dots-three-vertical"
              name={texts.more(identity.title)}
              placement="bottom end"
              head={<SheetHead title={identity.title} sha256={identity.sha256} line={lines(row)[0]} />}
              entries={actions.map(({ id: actionId, label: actionLabel, icon, disabledReason }) => ({
                id: actionId,
                label: actionLabel,
                icon,
                disabledReason,
              }))}
              onAction={(actionId) => onAction(row, actionId)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

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

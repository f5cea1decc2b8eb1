import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import css from './Tiles.module.css';

export interface TileItem {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** A number on a corner, and what it says: 2, '2 new'. Nought is not shown. */
  readonly badge?: { readonly count: number; readonly label: string } | undefined;
}

export interface TilesProps {
  readonly label: string;
  readonly items: readonly TileItem[];
  /** A column beside the windows, or cards on the empty desk. */
  readonly look: 'column' | 'cards';
  readonly onOpen: (id: string) => void;
}

export function Tiles({ label, items, look, onOpen }: TilesProps) {
  return (
    <nav aria-label={label}>
      <ul className={css[look]}>
        {items.map((item, i) => (
          <li key={item.id}>
            <Tile item={item} look={look} first={i === 0} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface TileProps extends Pick<TilesProps, 'look' | 'onOpen'> {
  readonly item: TileItem;
  readonly first: boolean;
}

function Tile({ item, look, first, onOpen }: TileProps) {
  const { id, label, icon } = item;
  const badge = item.badge !== undefined && item.badge.count > 0 ? item.badge : undefined;
  const isCard = look === 'cards';
  return (
    <button
      type="button"
      className={css[isCard ? 'card' : 'tile']}
      data-desk-start={first ? '' : undefined}
      data-opener={`tile:${id}`}
      onClick={() => onOpen(id)}
    >
      <span className={css['face']}>
        <Icon name={icon} className={css['icon']} />
        {badge && (
          <span className={css['count']} aria-hidden="true">
            {badge.count > 99 ? '99+' : badge.count}
          </span>
        )}
      </span>
      <span className={css['words']}>
        <b>{label}</b>
        {(isCard || badge) && <small className={isCard ? undefined : 'visually-hidden'}>{badge && ` ${badge.label}`}</small>}
      </span>
    </button>
  );
}

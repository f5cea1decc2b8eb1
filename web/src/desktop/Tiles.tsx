import { Icon } from '#kit/Icon.tsx';
import type { IconName } from '#kit/icon-names.ts';
import css from './Tiles.module.css';

export interface TileItem {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly count?: number | undefined;
  /** '2 new': the counter in words. */
  readonly note?: string | undefined;
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
            <button
              type="button"
              className={css[look === 'cards' ? 'card' : 'tile']}
              data-desk-start={i === 0 ? '' : undefined}
              onClick={() => onOpen(item.id)}
            >
              <span className={css['face']}>
                <Icon name={item.icon} className={css['icon']} />
                {item.count !== undefined && item.count > 0 && (
                  <span className={css['count']} aria-hidden="true">
                    {item.count > 99 ? '99+' : item.count}
                  </span>
                )}
              </span>
              <span className={css['words']}>
                <b>{item.label}</b>
                {(look === 'cards' || item.note !== undefined) && (
                  <small className={look === 'cards' ? undefined : 'visually-hidden'}>{item.note}</small>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import type { ListView } from './list-plan.ts';
import css from './SortToggle.module.css';

interface SortToggleProps {
  readonly sortKey: string;
  readonly label: string;
  readonly sort: ListView['sort'];
  readonly onSort: (key: string) => void;
}

/** Sorts by a field: not at all, downwards, upwards. */
export function SortToggle({ sortKey, label, sort, onSort }: SortToggleProps) {
  const order = sort.find(({ by }) => by === sortKey)?.order;
  const state = order === undefined ? undefined : t(order === 'desc' ? 'list.descending' : 'list.ascending');
  const name = t('list.sortBy', { column: label });
  return (
    <span className={css['sort']} data-on={order === undefined ? undefined : true}>
      <IconButton
        size="s"
        icon={order === undefined ? 'sort-descending' : order === 'desc' ? 'arrow-down-bold' : 'arrow-up-bold'}
        name={state === undefined ? name : `${name}, ${state}`}
        onClick={() => onSort(sortKey)}
      />
    </span>
  );
}

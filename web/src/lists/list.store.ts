import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import { createStore, type Store } from '#platform/store.ts';
import { columnsOf } from './columns.ts';
import { changeView, firstState, type ListState, sortBy, toggleSelected } from './list.state.ts';
import type { ListPlan, ListView } from './list-plan.ts';

/** What a list shows, and what the customer does to it; its functions are the same for its whole life. */
export interface List extends Pick<Store<ListState>, 'getState' | 'subscribe'> {
  readonly change: (part: Partial<ListView>) => void;
  /** The next order by this key, which is announced. */
  readonly sort: (key: string) => void;
  readonly setColumns: (columns: ListView['columns']) => void;
  readonly setPage: (page: number) => void;
  readonly setInContents: (inContents: boolean) => void;
  readonly select: (ids: readonly string[]) => void;
  readonly toggleSelected: (id: string) => void;
}

export const createList = (plan: ListPlan, begins: Partial<ListView> | undefined): List => {
  const { getState, setState, subscribe } = createStore(firstState(plan, begins));
  return {
    getState,
    subscribe,
    change: (part) => setState(changeView(getState(), part)),
    sort: (key) => {
      setState(sortBy(getState(), key));
      announceSort(plan, getState().view, key);
    },
    setColumns: (columns) => setState({ ...getState(), view: { ...getState().view, columns } }),
    setPage: (page) => setState({ ...getState(), page }),
    setInContents: (inContents) => setState({ ...getState(), inContents }),
    select: (selected) => setState({ ...getState(), selected }),
    toggleSelected: (id) => setState(toggleSelected(getState(), id)),
  };
};

const announceSort = (plan: ListPlan, { sort: [now], columns }: ListView, key: string): void => {
  const ofColumn = columnsOf(plan, columns).find((one) => one.key === key)?.header;
  const column = ofColumn ?? plan.fields.find((field) => field.key === key)?.label ?? key;
  const order = t(now?.order === 'asc' ? 'list.ascending' : 'list.descending');
  announce(now === undefined ? t('list.unsorted') : `${t('list.sortBy', { column })}, ${order}`);
};

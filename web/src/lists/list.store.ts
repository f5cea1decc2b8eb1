import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import { createStore } from '#platform/store.ts';
import { columnsOf } from './columns.ts';
import type { ListPlan, ListView } from './list-plan.ts';
import { firstView, nextSort } from './list-rules.ts';

export interface ListState {
  readonly view: ListView;
  readonly page: number;
  /** Ids of documents, which may stand on other pages. */
  readonly selected: readonly string[];
  /** The text is searched on the pages of documents, not in what the list says of them. */
  readonly inContents: boolean;
}

export type List = ReturnType<typeof createList>;

/** What a list shows, and what the customer does to it; its functions are the same for its whole life. */
export const createList = (plan: ListPlan, begins: Partial<ListView> = {}) => {
  const { getState, setState, subscribe } = createStore<ListState>({
    view: { ...firstView(plan), ...begins },
    page: 0,
    selected: [],
    inContents: false,
  });
  const set = (part: Partial<ListState>): void => setState({ ...getState(), ...part });
  /** Begins on the first page; what was selected may not be among what another search finds. */
  const change = (part: Partial<ListView>): void => {
    const { view, selected } = getState();
    const isSearch = 'text' in part || 'filters' in part || 'period' in part;
    set({ view: { ...view, ...part }, page: 0, selected: isSearch ? [] : selected });
  };
  return {
    getState,
    subscribe,
    set,
    change,
    search: (text: string): void => change({ text }),
    setInContents: (inContents: boolean): void => set({ inContents }),
    /** The next order by this key, which is announced. */
    sort: (key: string): void => {
      change({ sort: nextSort(getState().view.sort, key) });
      announceSort(plan, getState().view, key);
    },
    setColumns: (columns: ListView['columns']): void => set({ view: { ...getState().view, columns } }),
  };
};

/** The words to be found on pages; empty while the list itself is searched. */
export const wordsInContents = ({ inContents, view }: ListState): string => (inContents ? view.text.trim() : '');

const announceSort = (plan: ListPlan, { sort: [now], columns }: ListView, key: string): void => {
  const ofColumn = columnsOf(plan, columns).find((one) => one.key === key)?.header;
  const column = ofColumn ?? plan.fields.find((field) => field.key === key)?.label ?? key;
  const order = t(now?.order === 'asc' ? 'list.ascending' : 'list.descending');
  announce(now === undefined ? t('list.unsorted') : `${t('list.sortBy', { column })}, ${order}`);
};

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

export const firstState = (plan: ListPlan, begins: Partial<ListView> = {}): ListState => ({
  view: { ...firstView(plan), ...begins },
  page: 0,
  selected: [],
  inContents: false,
});

/** Another search begins on its first page; what was selected may not be among what it finds. */
export const changeView = (state: ListState, part: Partial<ListView>): ListState => ({
  ...state,
  view: { ...state.view, ...part },
  page: 0,
  selected: 'text' in part || 'filters' in part || 'period' in part ? [] : state.selected,
});

export const sortBy = (state: ListState, key: string): ListState => changeView(state, { sort: nextSort(state.view.sort, key) });

export const toggleSelected = (state: ListState, id: string): ListState => ({
  ...state,
  selected: state.selected.includes(id) ? state.selected.filter((other) => other !== id) : [...state.selected, id],
});

/** The words to be found on pages; empty while the list itself is searched. */
export const wordsInContents = ({ inContents, view }: ListState): string => (inContents ? view.text.trim() : '');

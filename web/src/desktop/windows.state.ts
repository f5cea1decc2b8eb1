/** What a window shows, as plain words: kept across a reload and never part of an address. */
export type WindowParams = Readonly<Record<string, string>>;

export interface OpenWindow {
  readonly id: string;
  readonly kind: string;
  readonly params: WindowParams;
  /** Set by the content; the catalogue's title until then. */
  readonly title?: string | undefined;
  readonly maximised: boolean;
  /** Always on top, always full: cannot be moved, closed by the person or covered (the statute). */
  readonly locked: boolean;
}

/** `windows`, as the DOM, is in opening order, for a moved node would lose focus and scroll; `order` is from back to front. */
export interface WindowsState {
  readonly windows: readonly OpenWindow[];
  readonly order: readonly string[];
  /** The windows are put aside to show the desk; the next open or focus brings them back. */
  readonly deskShown: boolean;
}

/** More are of no use, and would slow all of them down. */
export const mostWindows = 60;

export const noWindows: WindowsState = { windows: [], order: [], deskShown: false };

export function focusedId(state: WindowsState): string | undefined {
  return state.deskShown ? undefined : state.order.at(-1);
}

export function openWindow(state: WindowsState, opened: Omit<OpenWindow, 'maximised' | 'locked'> & Partial<OpenWindow>): WindowsState {
  if (state.windows.some((window) => window.id === opened.id)) return focusWindow(state, opened.id);
  const window: OpenWindow = { maximised: false, locked: false, ...opened };
  return {
    windows: [...state.windows, window],
    order: lockedLast([...state.order, window.id], [...state.windows, window]),
    deskShown: false,
  };
}

export function closeWindow(state: WindowsState, id: string): WindowsState {
  const windows = state.windows.filter((window) => window.id !== id);
  if (windows.length === state.windows.length) return state;
  return { windows, order: state.order.filter((other) => other !== id), deskShown: state.deskShown && windows.length > 0 };
}

export function focusWindow(state: WindowsState, id: string): WindowsState {
  if (!state.windows.some((window) => window.id === id) || focusedId(state) === id) return state;
  return { ...state, order: lockedLast([...state.order.filter((other) => other !== id), id], state.windows), deskShown: false };
}

export function maximiseWindow(state: WindowsState, id: string): WindowsState {
  return change(state, id, (window) => (window.maximised || window.locked ? window : { ...window, maximised: true }));
}

export function restoreWindow(state: WindowsState, id: string): WindowsState {
  return change(state, id, (window) => (window.maximised ? { ...window, maximised: false } : window));
}

export function retitleWindow(state: WindowsState, id: string, title: string): WindowsState {
  return change(state, id, (window) => (window.title === title ? window : { ...window, title }));
}

/** With what was noted of the windows, for the next page load. */
export function withNotes(state: WindowsState, notes: ReadonlyMap<string, WindowParams>): WindowsState {
  return { ...state, windows: state.windows.map((window) => ({ ...window, params: { ...window.params, ...notes.get(window.id) } })) };
}

/** Does nothing while a locked window is open or no window is. */
export function showDesk(state: WindowsState, deskShown: boolean): WindowsState {
  if (state.deskShown === deskShown || state.windows.length === 0 || state.windows.some((window) => window.locked)) return state;
  return { ...state, deskShown };
}

/** The state of a saved layout: each id once, ids without a window left out, windows without a place in the order put behind. */
export function restoreLayout(saved: Pick<WindowsState, 'windows' | 'order'>): WindowsState {
  const windows = saved.windows.filter((window, i) => saved.windows.findIndex((other) => other.id === window.id) === i);
  const ids = windows.map((window) => window.id);
  const ordered = [...new Set(saved.order)].filter((id) => ids.includes(id));
  const behind = ids.filter((id) => !ordered.includes(id));
  return { windows, order: lockedLast([...behind, ...ordered], windows), deskShown: false };
}

function change(state: WindowsState, id: string, next: (window: OpenWindow) => OpenWindow): WindowsState {
  const windows = state.windows.map((window) => (window.id === id ? next(window) : window));
  return windows.some((window, i) => window !== state.windows[i]) ? { ...state, windows } : state;
}

function lockedLast(order: readonly string[], windows: readonly OpenWindow[]): readonly string[] {
  const locked = new Set(windows.filter((window) => window.locked).map((window) => window.id));
  if (locked.size === 0) return order;
  return [...order.filter((id) => !locked.has(id)), ...order.filter((id) => locked.has(id))];
}

import { createStore, type Store } from '#platform/store.ts';

export type ToastTone = 'success' | 'error' | 'info' | 'warning';

export interface ToastMessage {
  readonly tone: ToastTone;
  readonly title: string;
  readonly detail?: string | undefined;
  /** Runs once and takes the message away. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}
export interface Toast extends ToastMessage {
  readonly id: number;
}

export interface ToastQueue {
  /** Shows a message and answers its id; an equal one that is still up only starts its time anew. */
  readonly add: (message: ToastMessage) => number;
  readonly remove: (id: number) => void;
  readonly clear: () => void;
  readonly list: () => readonly Toast[];
  readonly subscribe: Store<readonly Toast[]>['subscribe'];
}

const mostAtOnce = 4;

export function createToastQueue(): ToastQueue {
  const { getState: list, setState, subscribe } = createStore<readonly Toast[]>([]);
  let last = 0;
  return {
    add: ({ tone, title, detail, action }) => {
      const id = ++last;
      const others = list().filter(
        (toast) => toast.action !== undefined || toast.tone !== tone || toast.title !== title || toast.detail !== detail,
      );
      setState([...others, { tone, title, detail, action, id }].slice(-mostAtOnce));
      return id;
    },
    remove: (id) => setState(list().filter((toast) => toast.id !== id)),
    clear: () => setState([]),
    list,
    subscribe,
  };
}

import type { PortalEvents } from '#platform/events.ts';
import { createStore, type Store } from '#platform/store.ts';

/** Its action runs once and takes the message away. */
export type ToastMessage = PortalEvents['alert'];

export interface Toast extends ToastMessage {
  readonly id: number;
}

export interface ToastQueue {
  /** Shows a message; an equal one that is still up only starts its time anew. */
  readonly add: (message: ToastMessage) => void;
  readonly remove: (id: number) => void;
  readonly list: () => readonly Toast[];
  readonly subscribe: Store<readonly Toast[]>['subscribe'];
}

const mostAtOnce = 4;

/** The newest four; one with the words of an earlier one takes its place, unless that one has an action. */
export function createToastQueue(): ToastQueue {
  const { getState: list, setState, subscribe } = createStore<readonly Toast[]>([]);
  let last = 0;
  return {
    add: (message) => {
      const { tone, title, detail } = message;
      const others = list().filter(
        (toast) => toast.action !== undefined || toast.tone !== tone || toast.title !== title || toast.detail !== detail,
      );
      setState([...others, { ...message, id: ++last }].slice(-mostAtOnce));
    },
    remove: (id) => setState(list().filter((toast) => toast.id !== id)),
    list,
    subscribe,
  };
}

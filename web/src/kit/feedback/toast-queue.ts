import type { PortalEvents } from '#platform/events.ts';
import { createStore } from '#platform/store.ts';

type ToastMessage = PortalEvents['alert'];

export type Toast = ToastMessage & { readonly id: number };

export type ToastQueue = ReturnType<typeof createToastQueue>;

const mostAtOnce = 4;

/** The newest four; one with the words of an earlier one takes its place, unless that one has an action. */
export function createToastQueue() {
  const { getState: list, setState, subscribe } = createStore<readonly Toast[]>([]);
  let last = 0;
  return {
    /** Shows a message; an equal one that is still up only starts its time anew. */
    add: (message: ToastMessage) => {
      const { tone, title, detail } = message;
      const others = list().filter(
        (toast) => toast.action !== undefined || toast.tone !== tone || toast.title !== title || toast.detail !== detail,
      );
      setState([...others, { ...message, id: ++last }].slice(-mostAtOnce));
    },
    remove: (id: number) => setState(list().filter((toast) => toast.id !== id)),
    list,
    subscribe,
  };
}

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
  readonly subscribe: (listener: () => void) => () => void;
}

const mostAtOnce = 4;

export function createToastQueue(): ToastQueue {
  let toasts: readonly Toast[] = [];
  let last = 0;
  const listeners = new Set<() => void>();
  const set = (next: readonly Toast[]) => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  return {
    add: (message) => {
      const id = ++last;
      const others = toasts.filter(
        (toast) =>
          toast.action !== undefined || toast.tone !== message.tone || toast.title !== message.title || toast.detail !== message.detail,
      );
      set([...others, { ...message, id }].slice(-mostAtOnce));
      return id;
    },
    remove: (id) => set(toasts.filter((toast) => toast.id !== id)),
    clear: () => set([]),
    list: () => toasts,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export interface Signal<Value = void> {
  readonly tell: (value: Value) => void;
  /** Answers the function that ends it. */
  readonly subscribe: (listener: (value: Value) => void) => () => void;
}

/** A state outside React, with the two functions that `useSyncExternalStore` asks for. */
export interface Store<State> {
  readonly getState: () => State;
  readonly subscribe: Signal['subscribe'];
  /** The same state again tells no one. */
  readonly setState: (next: State) => void;
}

/** Tells its listeners synchronously, and keeps nothing. */
export const createSignal = <Value = void>(): Signal<Value> => {
  const listeners = new Set<(value: Value) => void>();
  return {
    tell: (value) => {
      for (const listener of listeners) listener(value);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** For `useSyncExternalStore`: the same state object means that nothing changed. */
export const createStore = <State>(initial: State): Store<State> => {
  const changed = createSignal();
  let state = initial;
  return {
    getState: () => state,
    subscribe: changed.subscribe,
    setState: (next) => {
      if (next === state) return;
      state = next;
      changed.tell();
    },
  };
};

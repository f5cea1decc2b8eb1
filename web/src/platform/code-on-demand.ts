import { createElement, use, type FunctionComponent } from 'react';

let first: (() => Promise<unknown>) | undefined;

/** From now on each attempt to fetch code begins with this, and fails with it. */
export const fetchBeforeCode = (before: () => Promise<unknown>): void => {
  first = before;
};

// React renders what failed several times before it shows the failure: only then may the code be fetched again.
const forgets = new WeakMap<object, () => void>();

/** Lets the code that failed like this be fetched again; called by the boundary that shows the failure. */
export const forgetFailedCode = (error: unknown): void => forgets.get(Object(error))?.();

/**
 * Like `lazy`, with two differences. Code that is there never suspends, which would cost 300 ms: the promise bears what `use` itself would note
 * on it. Code that could not be fetched is fetched again by the `retry` of the `Boundary` around the component, and when it is shown anew.
 */
export const onDemand = <Props extends object>(load: () => Promise<FunctionComponent<Props>>) => {
  let loading: Promise<FunctionComponent<Props>> | undefined;
  const begin = (): Promise<FunctionComponent<Props>> => {
    if (loading !== undefined) return loading;
    const started = (first === undefined ? load() : first().then(load)).then((component) => {
      void Object.assign(started, { status: 'fulfilled', value: component });
      return component;
    });
    started.catch((error: unknown) => forgets.set(Object(error), () => (loading = undefined)));
    loading = started;
    return started;
  };
  return {
    Component: (props: Props) => createElement(use(begin()), props),
    /** Resolves when it can be shown, or could not be fetched: that comes again, and is shown, when the component itself is needed. */
    preload: (): Promise<void> => begin().then(() => undefined, forgetFailedCode),
  };
};

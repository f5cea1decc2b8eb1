import { createElement, use, type FunctionComponent } from 'react';

// Vite inserts each style sheet once, also one that could not be fetched: what needs it next would be shown without it.
const failedStyles = new Set<HTMLLinkElement>();
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  { capture: true },
);

const refetchStyles = (): Promise<unknown> =>
  Promise.all(
    Array.from(failedStyles, (failed) => {
      const { promise, resolve, reject } = Promise.withResolvers<Event>();
      const link = document.createElement('link');
      link.addEventListener('load', resolve);
      link.addEventListener('error', () => reject(new Error('A style sheet could not be fetched')));
      failedStyles.delete(failed);
      Object.assign(link, { rel: 'stylesheet', href: failed.href, crossOrigin: failed.crossOrigin });
      failed.replaceWith(link);
      return promise;
    }),
  );

// React renders what failed several times before it shows the failure: only then may the code be fetched again.
const failures = new WeakMap<Error, () => void>();

/** Called by the boundary that shows this failure in place of the component. */
export const forgetFailedCode = (error: unknown): void => {
  if (error instanceof Error) failures.get(error)?.();
};

/**
 * Like `lazy`, with two differences. Code that is there never suspends, which would cost 300 ms: the promise bears what `use` itself would note
 * on it. Code that could not be fetched is fetched again by the `retry` of the `Boundary` around the component, and when it is shown anew.
 */
export const onDemand = <Props extends object>(load: () => Promise<FunctionComponent<Props>>) => {
  let loading: Promise<FunctionComponent<Props>> | undefined;
  const begin = (): Promise<FunctionComponent<Props>> => {
    if (loading !== undefined) return loading;
    const started = (failedStyles.size === 0 ? load() : refetchStyles().then(load)).then(
      (component) => {
        void Object.assign(started, { status: 'fulfilled', value: component });
        return component;
      },
      (error: unknown) => {
        if (error instanceof Error) failures.set(error, () => forget(started));
        throw error;
      },
    );
    loading = started;
    return started;
  };
  const forget = (failed: Promise<unknown>): void => {
    if (loading === failed) loading = undefined;
  };
  return {
    Component: (props: Props) => createElement(use(begin()), props),
    /** Resolves when it can be shown, or could not be fetched: that comes again, and is shown, when the component itself is needed. */
    preload: (): Promise<void> => {
      const code = begin();
      return code.then(
        () => undefined,
        () => forget(code),
      );
    },
  };
};

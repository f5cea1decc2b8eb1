import { createElement, use, type FunctionComponent } from 'react';

/** Like `lazy`, but code that is there never suspends, which would cost 300 ms: the promise bears what `use` itself would note on it. */
export const onDemand = <Props extends object>(load: () => Promise<FunctionComponent<Props>>) => {
  let loading: Promise<FunctionComponent<Props>> | undefined;
  const begin = (): Promise<FunctionComponent<Props>> => {
    if (loading !== undefined) return loading;
    const started = load().then((component) => {
      void Object.assign(started, { status: 'fulfilled', value: component });
      return component;
    });
    loading = started;
    return started;
  };
  return {
    Component: (props: Props) => createElement(use(begin()), props),
    /** Resolves when it can be shown, or could not be fetched: that comes again, and is shown, when the component itself is needed. */
    preload: (): Promise<void> =>
      begin().then(
        () => undefined,
        () => void (loading = undefined),
      ),
  };
};

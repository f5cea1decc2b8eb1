/** All collectors of one scrape are called at once, and each sets its own value: they share one read. Undefined when it fails. */
export const singleFlight = <Value>(read: () => Promise<Value>): (() => Promise<Value | undefined>) => {
  let running: Promise<Value | undefined> | undefined;
  return () =>
    (running ??= read()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      }));
};

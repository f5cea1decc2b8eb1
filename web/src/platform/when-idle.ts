/**
 * Does something when the page is idle, and after `atLatestMs` in any case; returns what calls it off. Safari has no
 * idle callbacks: there it waits a third of that time.
 */
export const whenIdle = (work: () => void, atLatestMs: number): (() => void) => {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, atLatestMs / 3);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: atLatestMs });
  return () => cancelIdleCallback(handle);
};

/** Works when the page is idle, and after `atLatestMs` in any case, until called off. Safari, without idle callbacks, waits a third of that. */
export const whenIdle = (work: () => void, atLatestMs: number): (() => void) => {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, atLatestMs / 3);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: atLatestMs });
  return () => cancelIdleCallback(handle);
};

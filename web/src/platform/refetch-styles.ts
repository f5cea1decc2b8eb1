const everyMs = 3_000;

/** Fetches a style sheet that did not come again until it comes: Vite inserts each one once, and what needs it next would be shown without it. */
export const refetchFailedStyles = (): (() => void) => {
  const handleError = ({ target: link }: Event): void => {
    // The same element would not be fetched again with the same address.
    if (link instanceof HTMLLinkElement && link.rel === 'stylesheet') setTimeout(() => link.replaceWith(link.cloneNode()), everyMs);
  };
  addEventListener('error', handleError, { capture: true });
  return () => removeEventListener('error', handleError, { capture: true });
};

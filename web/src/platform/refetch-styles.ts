import { fetchBeforeCode } from './code-on-demand.ts';

const failed = new Set<HTMLLinkElement>();
const noteFailure = ({ target }: Event): void => {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
};

/** Another element: the same one would not be fetched again with the same address. */
const refetch = (link: HTMLLinkElement): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<Event>();
  const again = document.createElement('link');
  again.addEventListener('load', resolve);
  again.addEventListener('error', () => reject(new Error('A style sheet could not be fetched')));
  Object.assign(again, { rel: link.rel, href: link.href, crossOrigin: link.crossOrigin });
  failed.delete(link);
  link.replaceWith(again);
  return promise;
};

/** Vite inserts each style sheet once: one that did not come is fetched again before the next code on demand, which would be shown without it. */
export const refetchFailedStyles = (): (() => void) => {
  addEventListener('error', noteFailure, { capture: true });
  fetchBeforeCode(() => Promise.all(Array.from(failed, refetch)));
  return () => removeEventListener('error', noteFailure, { capture: true });
};

import type { PageRequest, PageSource } from './page-source.ts';

/** The source with its first page under way before the viewer is there: the first poll, if it asks for the same page, and its image get it, once. */
export const prefetched = (source: PageSource, request: PageRequest, signal: AbortSignal): PageSource => {
  const polled = source.poll(request, signal);
  const loadImage = async () => {
    const url = (await polled).sources.find(({ page }) => page === request.page)?.url;
    return url === undefined ? undefined : { url, bytes: await source.load(url, signal) };
  };
  let result: typeof polled | undefined = polled;
  let image: ReturnType<typeof loadImage> | undefined = loadImage().catch(() => undefined);
  return {
    ...source,
    poll: (asked, stop) => {
      const fetched = asked.width === request.width && asked.page === request.page ? result : undefined;
      result = undefined;
      return fetched ?? source.poll(asked, stop);
    },
    load: async (url, stop) => {
      const waiting = image;
      image = undefined;
      const fetched = await waiting;
      return fetched?.url === url ? fetched.bytes : source.load(url, stop);
    },
  };
};

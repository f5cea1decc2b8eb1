import type { PageRequest, PageSource } from './page-source.ts';

/**
 * The source with its first page under way before the viewer is there: the first request for page images, if it asks for the same page, and
 * the image that it leads to are answered by what was prefetched; once. It rejects as that did.
 */
export const prefetched = (source: PageSource, request: PageRequest, signal: AbortSignal): PageSource => {
  const loadImage = async (): Promise<{ url: string; bytes: Blob } | undefined> => {
    const url = (await polled).sources.find(({ page }) => page === request.page)?.url;
    return url === undefined ? undefined : { url, bytes: await source.load(url, signal) };
  };
  const polled = source.poll(request, signal);
  polled.catch(() => undefined);
  let result: typeof polled | undefined = polled;
  let image: ReturnType<typeof loadImage> | undefined = loadImage().catch(() => undefined);
  const take = async (url: string): Promise<Blob | undefined> => {
    const waiting = image;
    image = undefined;
    const fetched = await waiting;
    return fetched?.url === url ? fetched.bytes : undefined;
  };
  return {
    ...source,
    poll: (asked, stop) => {
      const fetched = asked.width === request.width && asked.page === request.page ? result : undefined;
      result = undefined;
      return fetched ?? source.poll(asked, stop);
    },
    load: async (url, stop) => (await take(url)) ?? source.load(url, stop),
  };
};

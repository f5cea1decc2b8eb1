import type { RenderResult } from '@pergamin/contract';
import type { PageRequest, PageSource } from './page-source.ts';

/** The first request for page images and the image that it leads to, under way before the viewer is there. */
export interface PagePrefetch {
  readonly request: PageRequest;
  readonly result: Promise<RenderResult>;
  readonly image: Promise<{ readonly url: string; readonly bytes: Blob } | undefined>;
}

/** Throws nothing: the source that takes the answers over rejects as they did. */
export const prefetchPage = ({ poll, load }: PageSource, request: PageRequest, signal: AbortSignal): PagePrefetch => {
  const result = poll(request, signal);
  const loadImage = async (): Promise<{ url: string; bytes: Blob } | undefined> => {
    const url = (await result).sources.find(({ page }) => page === request.page)?.url;
    return url === undefined ? undefined : { url, bytes: await load(url, signal) };
  };
  result.catch(() => undefined);
  return { request, result, image: loadImage().catch(() => undefined) };
};

/** The source with its first request answered by what was prefetched, if it asks for the same page; once. */
export const withPrefetched = (source: PageSource, prefetch: PagePrefetch | undefined): PageSource => {
  let [result, image] = [prefetch?.result, prefetch?.image];
  const take = async (url: string): Promise<Blob | undefined> => {
    const waiting = image;
    image = undefined;
    const fetched = await waiting;
    return fetched?.url === url ? fetched.bytes : undefined;
  };
  return {
    ...source,
    poll(request, signal) {
      const fetched = request.width === prefetch?.request.width && request.page === prefetch.request.page ? result : undefined;
      result = undefined;
      return fetched ?? source.poll(request, signal);
    },
    load: async (url, signal) => (await take(url)) ?? source.load(url, signal),
  };
};

import type { RenderResult } from '@pergamin/contract';
import type { Look, PageSource } from './page-source.ts';

/** The first question for page images and the image that it leads to, under way before the viewer is there. */
export interface FirstLook {
  readonly look: Look;
  readonly result: Promise<RenderResult>;
  readonly image: Promise<{ readonly url: string; readonly bytes: Blob } | undefined>;
}

/** Nothing is thrown here: whoever takes the answers over hears what became of them. */
export const beginFirstLook = ({ poll, load }: PageSource, look: Look, signal: AbortSignal): FirstLook => {
  const result = poll(look, signal);
  const loadImage = async (): Promise<{ url: string; bytes: Blob } | undefined> => {
    const url = (await result).sources.find(({ page }) => page === look.page)?.url;
    return url === undefined ? undefined : { url, bytes: await load(url, signal) };
  };
  result.catch(() => undefined);
  return { look, result, image: loadImage().catch(() => undefined) };
};

/** Hands out what is under way to whoever asks for it first; everything else is asked for as ever. */
export const withFirstLook = (source: PageSource, first: FirstLook | undefined): PageSource => {
  let [result, image] = [first?.result, first?.image];
  const take = async (url: string): Promise<Blob | undefined> => {
    const waiting = image;
    image = undefined;
    const begun = await waiting;
    return begun?.url === url ? begun.bytes : undefined;
  };
  return {
    ...source,
    poll(look, signal) {
      const begun = look.width === first?.look.width && look.page === first.look.page ? result : undefined;
      result = undefined;
      return begun ?? source.poll(look, signal);
    },
    load: async (url, signal) => (await take(url)) ?? source.load(url, signal),
  };
};

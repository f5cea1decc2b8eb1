import { createPageLoader, type PageLoader } from './page-loader.ts';
import type { EmbeddedPage, PageSource } from './page-source.ts';

/** Blob URLs of page images. */
export type PageImages = PageLoader<string>;

/** A browser has six connections to a host over HTTP/1.1: the page that is read, and the polling, always find one. */
const mostAtOnce = 4;

/** The images around the page that is being read: a document of a thousand pages holds a handful. Nothing outlives the viewer, for the bytes are private. */
export const createPageImages = (load: PageSource['load'], embedded?: EmbeddedPage): PageImages => {
  let unused = embedded;
  const loadBytes = async (url: string, signal: AbortSignal): Promise<Blob> => {
    if (unused?.url !== url) return load(url, signal);
    const { bytes } = unused;
    // Given up like any other image, and asked for when it is wanted again.
    unused = undefined;
    return bytes;
  };
  return createPageLoader({
    load: async (url, signal) => URL.createObjectURL(await loadBytes(url, signal)),
    release: (url) => URL.revokeObjectURL(url),
    mostAtOnce,
    mostKept: 0,
  });
};

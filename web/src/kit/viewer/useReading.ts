import { useCallback, useEffect, useState } from 'react';
import type { PageImages } from './page-images.ts';

interface ReadingOptions {
  readonly images: PageImages;
  /** Pages that lie in view. */
  readonly seen: readonly number[];
  readonly onReach: (page: number) => void;
}

/** Tells which pages were reached: those that lie in view with their image drawn. Answers what each page calls once its image is. */
export function useReading({ images, seen, onReach }: ReadingOptions): (page: number, url: string) => void {
  const [drawn, setDrawn] = useState<ReadonlyMap<number, string>>(new Map());
  useEffect(() => {
    for (const page of seen) {
      const image = images.imageOf(page);
      // An image that was given up and is being fetched anew has another address.
      if (image.state === 'shown' && drawn.get(page) === image.url) onReach(page);
    }
  }, [images, seen, drawn, onReach]);
  return useCallback((page, url) => setDrawn((pages) => (pages.get(page) === url ? pages : new Map(pages).set(page, url))), []);
}

import type { RenderResult } from '@pergamin/contract';
import type { RenderProgress } from './rendering.service.ts';

/** What a viewer is told: `pages` is how many the document has. */
export const renderResultOf = (
  { done, pagesReady }: RenderProgress,
  { pages, urlOf }: { pages: number; urlOf: (page: number) => string },
): RenderResult => ({
  done,
  progress: done ? 100 : Math.min(99, Math.floor((100 * pagesReady.length) / pages)),
  sources: pagesReady.map((page) => ({ page, url: urlOf(page) })),
});

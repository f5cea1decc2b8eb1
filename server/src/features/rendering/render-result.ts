import type { RenderResult } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import type { RenderProgress } from './rendering.service.ts';

/** To be thrown when the pages of something failed. */
export const renderFailure = ({ isStoreAtFault }: Pick<RenderProgress, 'isStoreAtFault'>, of: string): PortalError =>
  new PortalError(isStoreAtFault === true ? 'STORAGE_ERROR' : 'RENDER_ERROR', { cause: new Error(`the pages of ${of} could not be made`) });

/** What a viewer is told: `pages` is how many the document has. */
export const renderResultOf = (
  { done, pagesReady }: RenderProgress,
  { pages, urlOf }: { pages: number; urlOf: (page: number) => string },
): RenderResult => ({
  done,
  progress: done ? 100 : Math.min(99, Math.floor((100 * pagesReady.length) / pages)),
  sources: pagesReady.map((page) => ({ page, url: urlOf(page) })),
});

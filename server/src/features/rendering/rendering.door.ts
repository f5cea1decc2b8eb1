export { createRendering } from './rendering.service.ts';
export type { RenderableObject, Rendering } from './rendering.service.ts';
export { createShownPages, type ShownPages, type ShownPdf } from './shown-pages.ts';

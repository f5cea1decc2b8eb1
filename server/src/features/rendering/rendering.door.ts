export { createRendering } from './rendering.service.ts';
export type { RenderableObject, Rendering, RenderingParts, RenderProgress } from './rendering.service.ts';

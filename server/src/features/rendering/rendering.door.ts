export { createRendering } from './rendering.service.ts';
export type { RenderableObject, Rendering, RenderProgress } from './rendering.service.ts';

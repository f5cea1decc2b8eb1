export { renderFailure, renderResultOf } from './render-result.ts';
export { createRendering } from './rendering.service.ts';
export type { RenderableObject, Rendering } from './rendering.service.ts';

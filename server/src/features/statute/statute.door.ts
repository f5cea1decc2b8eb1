import type { Route } from '#platform/http/route.ts';
import { statuteRoutes } from './statute.routes.ts';
import { createStatuteService, type StatuteParts, type Statutes } from './statute.service.ts';

export type { Statutes } from './statute.service.ts';

export const createStatutes = (parts: StatuteParts): Statutes & { readonly routes: readonly Route[] } => {
  const statutes = createStatuteService(parts);
  return { ...statutes, routes: statuteRoutes(statutes) };
};

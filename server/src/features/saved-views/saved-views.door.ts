import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import { savedViewRoutes } from './saved-views.routes.ts';
import { createSavedViewService } from './saved-views.service.ts';

/** Saved views of clients: filters, order and columns of a list under a name, in folders. */
export const createSavedViews = (parts: { db: Db; metadata: Pick<Metadata, 'definitions'> }): { readonly routes: readonly Route[] } => ({
  routes: savedViewRoutes(createSavedViewService(parts)),
});

import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { SavedViews } from './saved-views.service.ts';

export const savedViewRoutes = (views: SavedViews): readonly Route[] => [
  route(calls.listSavedViews, async ({ caller }) => views.list(caller)),
  route(calls.createSavedView, async ({ caller, body }) => views.create(caller, body)),
  route(calls.updateSavedView, async ({ caller, params, body }) => views.update(caller, params.id, body)),
  route(calls.deleteSavedView, async ({ caller, params }) => views.remove(caller, params.id)),
  route(calls.createViewFolder, async ({ caller, body }) => views.createFolder(caller, body)),
  route(calls.updateViewFolder, async ({ caller, params, body }) => views.updateFolder(caller, params.id, body)),
  route(calls.deleteViewFolder, async ({ caller, params }) => views.removeFolder(caller, params.id)),
];

import { calls } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';
import { route, type Route } from '#platform/http/route.ts';
import { readLife } from './life-history.ts';
import type { DocumentLife } from './life.service.ts';

export const lifeRoutes = ({ db, life }: { readonly db: Db; readonly life: DocumentLife }): readonly Route[] => [
  route(calls.changeDocumentState, async ({ params, body, caller }) => life.changeState(params.id, body, caller)),
  route(calls.holdDocument, async ({ params, body, caller }) => life.hold(params.id, body, caller)),
  route(calls.retainDocument, async ({ params, body, caller }) => life.retain(params.id, body, caller)),
  route(calls.forgetDocument, async ({ params, body, caller }) => life.forget(params.id, body, caller)),
  route(calls.getDocumentLife, async ({ params }) => readLife(db, params.id)),
];

import { calls, publication, publishingLimits, statutePublication } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { Accounts } from '#features/accounts/accounts.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { DemoRemoval } from './demo-removal.ts';
import type { PublishingService } from './publishing.service.ts';
import { listChanges } from '#platform/configuration/configuration-changes.ts';
import type { Db } from '#platform/database/schema.ts';
import { withUpload } from '#platform/http/upload.ts';

interface Parts {
  readonly db: Db;
  readonly publishing: PublishingService;
  readonly accounts: Accounts;
  readonly metadata: Metadata;
  readonly demoRemoval: DemoRemoval;
  readonly uploads: { readonly folder: string; readonly maxBytes: number };
}

/** A thousand client records are larger than the usual body. */
const clientsBodyLimit = publishingLimits.maxClientsPerCall * 2_048;

/** Five hundred ordinary descriptions; who has longer ones sends fewer. */
const checkBodyLimit = publishingLimits.maxDocumentsPerCheck * 2_048;

/** The members of a large group, or of many small ones. */
const membersBodyLimit = 4 * 1_024 * 1_024;

export const publishingRoutes = ({ db, publishing, accounts, metadata, demoRemoval, uploads }: Parts): readonly Route[] => [
  route(calls.publishDocument, async ({ request, caller }) =>
    withUpload(request, { ...uploads, schema: publication }, (upload) => publishing.publishDocument(upload, caller)),
  ),
  route(calls.withdrawDocument, async ({ params, body, caller }) => publishing.withdrawDocument(params.id, body.reason, caller)),
  route(calls.checkPublications, async ({ body, caller }) => publishing.checkPublications(body.items, caller), {
    bodyLimit: checkBodyLimit,
  }),
  route(calls.publishStatute, async ({ request, caller }) =>
    withUpload(request, { ...uploads, schema: statutePublication }, (upload) => publishing.publishStatute(upload, caller)),
  ),
  route(calls.listStatutes, async () => publishing.listStatutes()),
  route(calls.withdrawStatute, async ({ body, caller }) => publishing.withdrawStatute(body, caller)),
  route(calls.upsertClients, async ({ body, caller }) => accounts.upsert(body.items, { key: caller, reinvite: body.reinvite === true }), {
    bodyLimit: clientsBodyLimit,
  }),
  route(calls.changeClientState, async ({ params: { client }, query: { by }, body, caller }) =>
    accounts.changeState({ client, by }, body, caller),
  ),
  route(calls.getClientHistory, async ({ params: { client }, query: { by }, caller }) => accounts.readHistory({ client, by }, caller)),
  route(calls.listGroups, async () => accounts.listGroups()),
  route(calls.listMembers, async ({ params, query }) => accounts.listMembers(params.id, query.after)),
  route(calls.setMembers, async ({ body, caller }) => accounts.setMembers(body, caller), { bodyLimit: membersBodyLimit }),
  route(calls.upsertDictionary, async ({ params, body, caller }) => metadata.upsertDictionary(params.id, body, caller)),
  route(calls.listDefinitions, async () => ({ items: await metadata.listRecords() })),
  route(calls.defineMetadata, async ({ body, caller }) => metadata.define(body.items, { isDry: body.dryRun === true, key: caller })),
  route(calls.listConfigurationChanges, async ({ query }) => listChanges(db, query)),
  route(calls.removeDemo, async () => demoRemoval.remove()),
];

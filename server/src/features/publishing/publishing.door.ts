import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Accounts } from '#features/accounts/accounts.door.ts';
import type { Documents } from '#features/documents/documents.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Statutes } from '#features/statute/statute.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { createDemoRemoval } from './demo-removal.ts';
import { createPublisherKeys, type PublisherKeys } from './publisher-keys.ts';
import { publishingRoutes } from './publishing.routes.ts';
import { createPublishingService } from './publishing.service.ts';

export type { PublisherKeys } from './publisher-keys.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly stores: { readonly objects: Objects; readonly pdf: PdfPool };
  readonly rooms: { readonly metadata: Metadata; readonly documents: Documents; readonly statutes: Statutes; readonly accounts: Accounts };
  readonly removeSignInAccounts: (personalIds: readonly string[]) => Promise<void>;
  readonly settings: { readonly dataDir: string; readonly publishMaxBytes: number };
  readonly running: { readonly clock: Clock; readonly log: Log };
}

/** The organisation's side: publishes documents and statutes, keeps clients and dictionaries, by API keys with scopes. */
export const createPublishing = ({
  db,
  stores,
  rooms,
  removeSignInAccounts,
  settings,
  running,
}: Parts): { readonly routes: readonly Route[]; readonly keys: PublisherKeys } => ({
  keys: createPublisherKeys(db),
  routes: publishingRoutes({
    publishing: createPublishingService({ db, stores, rooms, clock: running.clock }),
    accounts: rooms.accounts,
    metadata: rooms.metadata,
    demoRemoval: createDemoRemoval({ db, objects: stores.objects, removeAccounts: removeSignInAccounts, log: running.log }),
    uploads: { folder: join(settings.dataDir, 'uploads'), maxBytes: settings.publishMaxBytes },
  }),
});

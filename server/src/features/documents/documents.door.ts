import type { Kysely, Transaction } from 'kysely';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Rendering } from '#features/rendering/rendering.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { createChecks } from './checks.service.ts';
import { forgetCalls } from './checks.store.ts';
import { documentRoutes } from './documents.routes.ts';
import { statementMarker } from './documents.rules.ts';
import { createDocumentService } from './documents.service.ts';
import { createHistory } from './history.service.ts';
import { createOwnFiles, type OwnFiles } from './own-files.ts';
import { createPublicDocuments } from './public-documents.ts';
import { publicDocumentRoutes } from './public-documents.routes.ts';
import { createReadAgain } from './readings.ts';
import { findByUniqueName, insertDraft, release, type DocumentDraft, type PublishedBefore } from './releases.store.ts';

export type { OwnDocument } from './own-documents.store.ts';
export type { OwnFiles } from './own-files.ts';
export type { DocumentDraft, PublishedBefore } from './releases.store.ts';

/** What other rooms need of the documents: they come in as drafts, become visible in one step, and go out to their owners, many at once. */
export interface Documents {
  readonly routes: readonly Route[];
  readonly ownFiles: OwnFiles;
  readonly jobs: JobHandlers;
  /**
   * Adds a document that nobody sees yet. Throws DOCUMENT_METADATA_ERROR for a statement that is not one client's: no list would show it.
   * A unique name that is taken is the database's unique violation.
   */
  insertDraft(trx: Transaction<Database>, draft: DocumentDraft): Promise<void>;
  /** Makes drafts visible to their recipients, all at once with the transaction. Released ones stay as they are. */
  release(trx: Transaction<Database>, documentIds: readonly string[], at: Date): Promise<void>;
  findByUniqueName(db: Kysely<Database>, name: string): Promise<PublishedBefore | undefined>;
}

/** Longer than any limit looks back. */
const callsKeptMs = 3_600_000;

export const createDocuments = (parts: {
  db: Kysely<Database>;
  objects: Pick<Objects, 'open'>;
  rendering: Pick<Rendering, 'requestAndWait' | 'openPage' | 'readPageText'>;
  metadata: Metadata;
  settings: { readonly timeZone: string; readonly ignoreMarkers: readonly string[]; readonly statementMarkerKey: string };
  clock: Clock;
  log: Log;
}): Documents => {
  const { metadata, settings } = parts;
  const documents = createDocumentService(parts);
  const readAgain = createReadAgain(parts);
  const checks = createChecks({ ...parts, readAgain });
  const publicDocuments = createPublicDocuments({ ...parts, readAgain });
  return {
    routes: [
      ...documentRoutes({ documents, checks, getHistory: createHistory(parts), metadata, ignoreMarkers: settings.ignoreMarkers }),
      ...publicDocumentRoutes({ publicDocuments, checks, clock: parts.clock }),
    ],
    async insertDraft(trx, draft) {
      if (draft.description.type === 'GROUP' && draft.values.columns.marker === statementMarker)
        throw new PortalError('DOCUMENT_METADATA_ERROR', {
          fields: { [settings.statementMarkerKey]: 'a statement belongs to one client' },
        });
      await insertDraft(trx, draft);
    },
    ownFiles: createOwnFiles(parts),
    jobs: { 'documents:sweep': () => forgetCalls(parts.db, { before: new Date(parts.clock.now().getTime() - callsKeptMs) }) },
    release: (trx, documentIds, at) => release(trx, documentIds, { at, timeZone: settings.timeZone }),
    findByUniqueName,
  };
};

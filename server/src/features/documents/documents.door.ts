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
import { createIgnoreMarkers } from './ignore-markers.ts';
import { createOpening } from './opening.service.ts';
import { createOwnFiles, type OwnFiles } from './own-files.ts';
import { createPublicDocuments } from './public-documents.ts';
import { publicDocumentRoutes } from './public-documents.routes.ts';
import { createReadAgain } from './readings.ts';
import { findPublished, insertDraft, release, type DocumentDraft, type PublishedAs, type PublishedBefore } from './releases.store.ts';
import { makeObsolete, requireReplaceable, takeSuccession, type Succession } from './successions.store.ts';

export type { OwnDocument } from './own-documents.store.ts';
export type { OwnFiles } from './own-files.ts';
export { listedColumns, release, type DocumentDraft, type PublishedBefore } from './releases.store.ts';

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
  findPublished(db: Kysely<Database>, as: PublishedAs): Promise<PublishedBefore[]>;
  /** How a document takes the place of another one (R2). */
  readonly successions: {
    /**
     * Throws VALIDATION_ERROR for a former document that is not there, or that others received, INVALID_STATUS for one that is not ACTIVE:
     * before anything is stored.
     */
    require(succession: Succession): Promise<void>;
    /** The same for certain, before the draft: nobody else can replace it from here on. Answers the version that the new one has. */
    begin(trx: Transaction<Database>, succession: Succession & { readonly id: string }): Promise<number>;
    /** After the release: the former document is OBSOLETE. */
    finish(trx: Transaction<Database>, replaces: string): Promise<void>;
  };
}

/** Longer than any limit looks back. */
const callsKeptMs = 3_600_000;

export const createDocuments = (parts: {
  db: Kysely<Database>;
  objects: Pick<Objects, 'open'>;
  rendering: Pick<Rendering, 'requestAndWait' | 'openPage' | 'openDrawn' | 'readPageText'>;
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
  const listMarkers = createIgnoreMarkers({ metadata, markers: settings.ignoreMarkers });
  const open = createOpening({ ...parts, documents, checks, listMarkers });
  return {
    routes: [
      ...documentRoutes({ documents, checks, open, getHistory: createHistory(parts), listMarkers }),
      ...publicDocumentRoutes({ publicDocuments, checks }),
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
    findPublished,
    successions: {
      require: (succession) => requireReplaceable(parts.db, succession),
      begin: async (trx, succession) => (await takeSuccession(trx, succession)) + 1,
      finish: makeObsolete,
    },
  };
};

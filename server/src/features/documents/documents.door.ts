import { createShownPages } from '#features/rendering/rendering.door.ts';
import { createChecks } from '#features/documents/checking/checks.service.ts';
import { forgetCalls } from '#features/documents/checking/checks.store.ts';
import { createReadAgain } from '#features/documents/checking/readings.ts';
import { createScrubJob } from '#features/documents/checking/scrubbing.ts';
import { lifeRoutes } from '#features/documents/life/life.routes.ts';
import { createDocumentLife } from '#features/documents/life/life.service.ts';
import { createRemoval } from '#features/documents/life/removal.ts';
import { createFindDocumentLock } from '#features/documents/reading/document-lock.ts';
import { createHistory } from '#features/documents/reading/history.service.ts';
import { createIgnoreMarkers } from '#features/documents/reading/ignore-markers.ts';
import { createOpening } from '#features/documents/reading/opening.service.ts';
import { createOwnFiles } from '#features/documents/reading/own-files.ts';
import { publicDocumentRoutes } from '#features/documents/reading/public-documents.routes.ts';
import { createPublicDocuments } from '#features/documents/reading/public-documents.service.ts';
import { readingRoutes } from '#features/documents/reading/reading.routes.ts';
import { createReading } from '#features/documents/reading/reading.service.ts';
import type { DocumentsParts } from './parts.ts';

/** For `pergamin audit`, and the metrics. */
export { type KeptReport, readLastScrub, reportKeptDocuments } from '#features/documents/checking/scrubbing.ts';
export { isPublicDocument, type OwnDocument } from './own-documents.store.ts';
export type { OwnFiles } from '#features/documents/reading/own-files.ts';
/** Writes documents: as drafts, and as versions that replace another one (R2). */
export {
  type DocumentDraft,
  findMoment,
  findNames,
  findPublished,
  findSuccessors,
  insertDrafts,
  type NamedDocument,
  type PublishedBefore,
} from '#features/documents/versions/drafts.store.ts';
export { retentionOfClasses } from '#features/documents/life/life.rules.ts';
export { readSightings, withdrawDocuments } from '#features/documents/life/withdrawal.ts';
export { listFacts, listPublicationFacts, listRetentionFacts } from '#features/documents/versions/facts.store.ts';
export { assertListed, kindOf, ownersOf } from '#features/documents/versions/kinds.rules.ts';
export { giveBackSuccessions, makeObsolete, requireReplaceable, takeSuccession } from '#features/documents/versions/successions.store.ts';

interface Given extends Omit<DocumentsParts, 'clock' | 'log'> {
  readonly running: Pick<DocumentsParts, 'clock' | 'log'>;
}

/** Longer than any limit looks back. */
const callsKeptMs = 3_600_000;

/** What clients see of their documents, and everybody of the public ones. */
export const createDocuments = ({ running, ...given }: Given) => {
  const parts = { ...given, ...running };
  const reading = createReading(parts);
  const readAgain = createReadAgain(parts);
  const checks = createChecks({ ...parts, readAgain });
  const listMarkers = createIgnoreMarkers(parts);
  const open = createOpening({ ...parts, reading, checks, listMarkers });
  const pages = createShownPages(parts.rendering);
  return {
    routes: [
      ...readingRoutes({
        reading,
        pages,
        checks,
        open,
        getHistory: createHistory(parts),
        findLock: createFindDocumentLock(parts),
        listMarkers,
      }),
      ...lifeRoutes({ db: parts.db, life: createDocumentLife(parts) }),
      ...publicDocumentRoutes({ publicDocuments: createPublicDocuments(parts), checks }),
    ],
    ownFiles: createOwnFiles(parts),
    /** The first two are to be run every hour or so, the last one each night. */
    jobs: {
      'documents:sweep': () => forgetCalls(parts.db, { before: new Date(parts.clock.now().getTime() - callsKeptMs) }),
      'documents:remove': createRemoval(parts),
      'ledger:scrub': createScrubJob({ ...parts, readAgain }),
    },
  };
};

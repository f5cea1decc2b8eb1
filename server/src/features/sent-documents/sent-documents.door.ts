import { join } from 'node:path';
import { createShownPages } from '#features/rendering/rendering.door.ts';
import { createFairQueue } from '#platform/http/fair-queue.ts';
import type { Route } from '#platform/http/route.ts';
import { createClamdScanner } from '#platform/malware/scanner.ts';
import { createCategories } from './categories.service.ts';
import type { SentDocumentsParts } from './parts.ts';
import { createReceived } from './received.service.ts';
import { createScan } from './scan.ts';
import { createSending } from './sending.service.ts';
import { sentDocumentRoutes } from './sent-documents.routes.ts';
import { createSentDocumentService } from './sent-documents.service.ts';

interface Given extends Omit<SentDocumentsParts, 'objects' | 'pdf' | 'clock' | 'log'> {
  readonly stores: Pick<SentDocumentsParts, 'objects' | 'pdf'>;
  readonly running: Pick<SentDocumentsParts, 'clock' | 'log'>;
}

/** Limits concurrent uploads: each holds memory while it is received and inspected. A client sends one file after the other. */
const receivedAtOnce = { atOnce: 16, perCaller: 4, countsForMs: 3_000 };

/** What clients send to the organisation: categories, sending, their own list of it, and its collection by the organisation (H, I). */
export const createSentDocuments = ({ stores, running, ...given }: Given): { readonly routes: readonly Route[] } => {
  const parts = { ...given, ...stores, ...running };
  const { settings } = parts;
  const scanner = settings.scanner === undefined ? undefined : createClamdScanner(settings.scanner);
  return {
    routes: sentDocumentRoutes({
      categories: createCategories(parts),
      sending: createSending({ ...parts, scan: createScan({ ...parts, scanner }) }),
      sentDocuments: createSentDocumentService(parts),
      pages: createShownPages(parts.rendering),
      received: createReceived(parts),
      uploadFolder: join(settings.dataDir, 'uploads'),
      receiving: createFairQueue(receivedAtOnce),
    }),
  };
};

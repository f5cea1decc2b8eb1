import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Rendering } from '#features/rendering/rendering.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { JobHandlers, Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { createFairQueue } from '#platform/http/fair-queue.ts';
import { createClamdScanner } from '#platform/malware/scanner.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import type { SendingSettings } from '#platform/settings/sending-settings.ts';
import { createCategories } from './categories.service.ts';
import { createReceived } from './received.service.ts';
import { createSending } from './sending.service.ts';
import { sentDocumentRoutes } from './sent-documents.routes.ts';
import { createSentDocumentService } from './sent-documents.service.ts';
import { createWebhook } from './webhook.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly stores: { readonly objects: Objects; readonly pdf: Pick<PdfPool, 'inspect'> };
  readonly rendering: Pick<Rendering, 'poll' | 'openPage' | 'readPageText'>;
  readonly jobs: Jobs;
  readonly settings: SendingSettings & { readonly dataDir: string; readonly timeZone: string };
  readonly running: { readonly clock: Clock; readonly log: Log };
}

/** The others wait with what they send: each holds memory while it comes in fast and is looked into. A client sends one file after the other. */
const receivedAtOnce = { atOnce: 16, perCaller: 4, countsForMs: 3_000 };

/** What clients send to the organisation: categories, sending, their own list of it, and its collection by the organisation (H, I). */
export const createSentDocuments = ({
  db,
  stores: { objects, pdf },
  rendering,
  jobs,
  settings,
  running: { clock, log },
}: Parts): { readonly routes: readonly Route[]; readonly jobs: JobHandlers } => {
  const scanner = settings.scanner === undefined ? undefined : createClamdScanner(settings.scanner);
  const webhook = createWebhook({ db, jobs, webhook: settings.receivedWebhook, clock, log });
  return {
    routes: sentDocumentRoutes({
      categories: createCategories({ db, clock }),
      sending: createSending({ db, stores: { objects, pdf, scanner }, announce: webhook.announce, settings, clock, log }),
      sentDocuments: createSentDocumentService({ db, objects, rendering, log }),
      received: createReceived({ db, objects, clock, log }),
      uploadFolder: join(settings.dataDir, 'uploads'),
      receiving: createFairQueue(receivedAtOnce),
    }),
    jobs: webhook.jobs,
  };
};

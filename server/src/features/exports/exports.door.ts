import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import { createExportCsv } from './csv.service.ts';
import { createAcquireLease } from './export-lease.service.ts';
import { exportRoutes } from './exports.routes.ts';
import type { ExportParts } from './parts.ts';
import { createZipDocuments } from './zip.service.ts';

interface Given extends Pick<ExportParts, 'sentences'> {
  readonly db: Db;
  readonly rooms: Pick<ExportParts, 'ownFiles' | 'listIds' | 'metadata' | 'ledger'>;
  readonly settings: { readonly timeZone: string; readonly verifyPage: string };
  readonly running: Pick<ExportParts, 'clock' | 'log'>;
}

/** Exports of many documents of a client: their bytes in one archive, or their metadata in a table (E6). */
export const createExports = ({ db, rooms, sentences, settings, running }: Given): { readonly routes: readonly Route[] } => {
  const acquireLease = createAcquireLease({ db, ...running });
  const parts = {
    ...rooms,
    ...running,
    sentences,
    acquireLease,
    verifyPage: settings.verifyPage,
    localTime: createLocalTime(settings.timeZone),
  };
  return { routes: exportRoutes({ zipDocuments: createZipDocuments(parts), exportCsv: createExportCsv(parts) }) };
};

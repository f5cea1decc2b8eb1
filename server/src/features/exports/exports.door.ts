import type { LanguageCode } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { ListIds } from '#features/document-lists/document-lists.door.ts';
import type { OwnFiles } from '#features/documents/documents.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import { createExportCsv } from './csv.service.ts';
import { createTakeTurn } from './export-lease.service.ts';
import { exportRoutes } from './exports.routes.ts';
import { createZipDocuments } from './zip.service.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly rooms: { readonly ownFiles: OwnFiles; readonly listIds: ListIds; readonly metadata: Pick<Metadata, 'definitions'> };
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly settings: { readonly timeZone: string };
  readonly running: { readonly clock: Clock; readonly log: Log };
}

/** Many documents of a client at once: their bytes in one archive, or what is said of them in a table (E6). */
export const createExports = ({ db, rooms, sentences, settings, running }: Parts): { readonly routes: readonly Route[] } => {
  const takeTurn = createTakeTurn({ db, ...running });
  const localTime = createLocalTime(settings.timeZone);
  const zipDocuments = createZipDocuments({ ownFiles: rooms.ownFiles, takeTurn, words: { sentences, localTime }, ...running });
  const exportCsv = createExportCsv({ ...rooms, takeTurn, words: { sentences, localTime }, clock: running.clock });
  return { routes: exportRoutes({ zipDocuments, exportCsv }) };
};

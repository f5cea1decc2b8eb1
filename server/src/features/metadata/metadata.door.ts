import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import { metadataRoutes } from './metadata.routes.ts';
import { createMetadataService, type Metadata } from './metadata.service.ts';
import { isMarkerFree } from './metadata.store.ts';

export { accountKey, accountKeySql, accountPart, inOnePiece, isAccountKey } from './account-numbers.ts';
export { documentRowOf, type MarkedRow } from './document-row.ts';
export { foldedSql, foldText } from './fold-text.ts';
export { spellingsOf } from './loose-text.ts';
export { metadataRowColumns } from './metadata-columns.ts';
export type { Definition, MetadataDefinitions, MetadataReader } from './metadata-definitions.ts';
export { isCalendarDay, type PublicationValues } from './publication.rules.ts';
export type { Metadata } from './metadata.service.ts';

/**
 * What ensureMarker would refuse. Changes nothing.
 * @throws SettingsError
 */
export const judgeMarker = async (db: Db, { statementMarkerKey }: { readonly statementMarkerKey: string }): Promise<void> => {
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass('metadata_definition') is not null as is_there`.execute(db);
  if (rows[0]?.is_there === true && !(await isMarkerFree(db, statementMarkerKey)))
    throw new SettingsError(`STATEMENT_MARKER_KEY: ${statementMarkerKey} is the key of other metadata`);
};

/** Definitions and dictionaries, and the check of a publication’s metadata against them. */
export const createMetadata = (parts: {
  db: Db;
  settings: { readonly statementMarkerKey: string };
}): Metadata & { readonly routes: readonly Route[] } => {
  const metadata = createMetadataService(parts);
  return { ...metadata, routes: metadataRoutes(metadata) };
};

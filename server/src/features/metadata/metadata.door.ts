import type { Db } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import { metadataRoutes } from './metadata.routes.ts';
import { createMetadataService, type Metadata } from './metadata.service.ts';

export { documentRowOf, type MarkedRow } from './document-row.ts';
export { foldedSql, foldText } from './fold-text.ts';
export { metadataRowColumns } from './metadata-columns.ts';
export type { Definition, MetadataDefinitions, MetadataReader } from './metadata-definitions.ts';
export { isCalendarDay, type PublicationValues } from './publication.rules.ts';
export type { Metadata } from './metadata.service.ts';

/** Definitions and dictionaries, and the check of a publication’s metadata against them. */
export const createMetadata = (parts: {
  db: Db;
  settings: { readonly statementMarkerKey: string };
}): Metadata & { readonly routes: readonly Route[] } => {
  const metadata = createMetadataService(parts);
  return { ...metadata, routes: metadataRoutes(metadata) };
};

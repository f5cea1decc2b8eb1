import type { DocumentKind } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';

interface Described {
  readonly type: 'PUBLIC' | 'PRIVATE' | 'GROUP';
  readonly marker: string | null;
}

/** Value of the statement marker key that makes a document an account statement. */
const statementMarker = 'STATEMENTS';

/** Which list a document belongs to (D5). */
export const kindOf = ({ type, marker }: Described): DocumentKind => {
  if (type === 'PUBLIC') return 'public';
  return type === 'PRIVATE' && marker === statementMarker ? 'statement' : 'private';
};

/** Throws DOCUMENT_METADATA_ERROR for a statement that is not one client's: no list would show it. */
export const assertListed = ({ type, marker }: Described, statementMarkerKey: string): void => {
  if (type === 'GROUP' && marker === statementMarker)
    throw new PortalError('DOCUMENT_METADATA_ERROR', { fields: { [statementMarkerKey]: 'a statement belongs to one client' } });
};

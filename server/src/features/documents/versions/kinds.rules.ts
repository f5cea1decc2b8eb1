import type { Publication } from '@pergamin/contract';
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

/** Whose keys open it, as principals are named. */
export const ownersOf = ({ type, cif, cif2, groupId }: Pick<Publication, 'type' | 'cif' | 'cif2' | 'groupId'>): string[] => {
  const owners = [
    ...(type === 'PRIVATE' ? [cif, cif2].flatMap((one) => (one === undefined ? [] : [`cif:${one}`])) : []),
    ...(type === 'GROUP' && groupId !== undefined ? [`group:${groupId}`] : []),
  ];
  return owners.length === 0 ? ['public'] : owners;
};

/** Throws DOCUMENT_METADATA_ERROR for a statement that is not one client's: no list would show it. */
export const assertListed = ({ type, marker }: Described, statementMarkerKey: string): void => {
  if (type === 'GROUP' && marker === statementMarker)
    throw new PortalError('DOCUMENT_METADATA_ERROR', { fields: { [statementMarkerKey]: 'a statement belongs to one client' } });
};

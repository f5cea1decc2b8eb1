import type { DocumentRow } from '@pergamin/contract';
import type { ListAction, ListPlan } from './list-plan.ts';

/** Why something cannot be done with a document now. */
export type Hindrance = 'downloadOnly' | 'corrupted' | 'unread';

/** Neither read nor downloaded by this client (D4). */
export const isUnread = ({ read, downloaded }: DocumentRow): boolean => read === null && downloaded === null;

/** A document that carries an ignore marker is downloaded instead of shown (E4, E9). */
export const isDownloadOnly = ({ metadata }: DocumentRow, ignoreMarkers: readonly string[]): boolean =>
  ignoreMarkers.some((marker) => Object.hasOwn(metadata, marker));

/** Opening a row means downloading it, or else showing it. A damaged one is shown: its window says what happened to it. */
export const opensByDownload = (row: DocumentRow, ignoreMarkers: readonly string[]): boolean =>
  !row.corrupted && isDownloadOnly(row, ignoreMarkers);

/**
 * What stands against a row's button, undefined when nothing does. With an ignore marker all of them rest, and the document is downloaded by
 * its name (E4). A damaged document may only be checked, and at once: its owner must be able to see what happened to it (D18). What happened
 * to a document may be seen of any.
 */
export const hindranceOf = (
  action: ListAction['id'],
  row: DocumentRow,
  { ignoreMarkers, checkAfterReading }: Pick<ListPlan, 'checkAfterReading'> & { readonly ignoreMarkers: readonly string[] },
): Hindrance | undefined => {
  if (action === 'history') return undefined;
  if (row.corrupted) return action === 'check' ? undefined : 'corrupted';
  if (isDownloadOnly(row, ignoreMarkers)) return 'downloadOnly';
  return action === 'check' && checkAfterReading && row.read === null ? 'unread' : undefined;
};

import type { DocumentState } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';

export interface Change {
  readonly at: Date;
  readonly before: DocumentState;
  readonly after: DocumentState;
}

/** The moment of publication, from the register, and the later states in their order. */
export const findEvents = async (
  db: Db,
  id: string,
): Promise<{ readonly publishedAt: Date | undefined; readonly changes: readonly Change[] }> => {
  const publication = await db.selectFrom('publication').select('at').where('document_id', '=', id).executeTakeFirst();
  const changes = await db
    .selectFrom('document_event')
    .select(['at', 'state_before as before', 'state as after'])
    .where('document_id', '=', id)
    // What the organisation does with its holds and periods is its own.
    .where('event', '=', 'STATE_CHANGED')
    .orderBy('id')
    .execute();
  return { publishedAt: publication?.at, changes };
};

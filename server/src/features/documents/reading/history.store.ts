import type { DocumentState } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';

export interface Change {
  readonly at: Date;
  readonly before: DocumentState;
  readonly after: DocumentState;
}

/** A notice that was sent and did not come back. */
export interface SentNotice {
  readonly id: string;
  readonly kind: string;
  readonly channel: string | null;
  readonly at: Date;
}

interface Events {
  readonly publishedAt: Date | undefined;
  readonly changes: readonly Change[];
  readonly notices: readonly SentNotice[];
}

/** The moment of publication, from the register, the later states in their order, and the notices of this client. */
export const findEvents = async (db: Db, { id, personalId }: { readonly id: string; readonly personalId: string }): Promise<Events> => {
  const publication = await db.selectFrom('publication').select('at').where('document_id', '=', id).executeTakeFirst();
  const changes = await db
    .selectFrom('document_event')
    .select(['at', 'state_before as before', 'state as after'])
    .where('document_id', '=', id)
    // What the organisation does with its holds and periods is its own.
    .where('event', '=', 'STATE_CHANGED')
    .orderBy('id')
    .execute();
  const notices = await db
    .selectFrom('notice')
    .select(['id', 'kind', 'channel', 'sent_at'])
    .where('document_id', '=', id)
    .where('receiver', '=', personalId)
    .where('state', '=', 'sent')
    .orderBy('sent_at')
    .execute();
  return {
    publishedAt: publication?.at,
    changes,
    notices: notices.flatMap(({ sent_at: at, ...notice }) => (at === null ? [] : { ...notice, at })),
  };
};

import type { ReceivedEvent } from '@pergamin/contract';
import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';

interface Delivery {
  readonly state: 'queued' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly event: ReceivedEvent;
}

export const insertDelivery = async (
  trx: Trx,
  { id, sentDocumentId, at }: { id: string; sentDocumentId: string; at: Date },
): Promise<void> => {
  await trx.insertInto('webhook_delivery').values({ id, sent_document_id: sentDocumentId, state: 'queued', created_at: at }).execute();
};

export const findDelivery = async (db: Db, id: string): Promise<Delivery | undefined> => {
  const row = await db
    .selectFrom('webhook_delivery as w')
    .innerJoin('sent_document as s', 's.id', 'w.sent_document_id')
    .select(['w.id', 'w.state', 'w.attempts', 's.id as documentId', 's.sha256', 's.size', 's.category_id', 's.type_id', 's.created_at'])
    .where('w.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { documentId, sha256, size, category_id: categoryId, type_id: typeId } = row;
  return {
    state: row.state,
    attempts: row.attempts,
    event: {
      id: row.id,
      type: 'document.received',
      createdOn: row.created_at.getTime(),
      document: { id: documentId, sha256, size, categoryId, typeId },
    },
  };
};

interface Attempt {
  readonly id: string;
  readonly at: Date;
  readonly state: Delivery['state'];
  readonly status: number | null;
  readonly error: string | null;
}

export const recordAttempt = async (db: Db, { id, at, state, status, error }: Attempt): Promise<void> => {
  await db
    .updateTable('webhook_delivery')
    .set({
      state,
      attempts: sql`attempts + 1`,
      last_status: status,
      last_error: error,
      last_attempt_at: at,
      ...(state === 'delivered' ? { delivered_at: at } : {}),
    })
    .where('id', '=', id)
    .execute();
};

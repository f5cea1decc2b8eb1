import { sql, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

/** Demonstration documents are no longer anybody's; every count of documents is made anew. */
export const removeDemoDeliveries = async (trx: Transaction<Database>): Promise<void> => {
  await sql`delete from delivery where document_id in (select id from document where demo)`.execute(trx);
  await sql`update principal_revision set revision = revision + 1`.execute(trx);
};

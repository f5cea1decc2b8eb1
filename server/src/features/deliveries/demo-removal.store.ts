import { sql, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

/** Takes the demonstration documents out of all lists. */
export const removeDemoDeliveries = async (trx: Transaction<Database>): Promise<void> => {
  await sql`delete from delivery where document_id in (select id from document where demo)`.execute(trx);
};

import { sql } from 'kysely';
import type { Trx } from '#platform/database/schema.ts';

/** Takes the demonstration documents out of all lists. */
export const removeDemoDeliveries = async (trx: Trx): Promise<void> => {
  await sql`delete from delivery where document_id in (select id from document where demo)`.execute(trx);
};

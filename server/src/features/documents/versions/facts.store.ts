import { sql } from 'kysely';
import type { LedgerFact } from '#features/ledger/ledger.door.ts';
import type { Trx } from '#platform/database/schema.ts';

/** What the ledger says of these documents as they are now, in the order of the ids. */
export const listFacts = async (trx: Trx, ids: readonly string[]): Promise<Omit<LedgerFact, 'event'>[]> => {
  const { rows } = await sql<Omit<LedgerFact, 'event'>>`
    select document.id as "documentId", sha256, size, ledger_owner(document) as owner, type, state, ledger_metadata(document) as metadata
    from unnest(${ids}::uuid[]) with ordinality as asked (id, nth) join document on document.id = asked.id order by nth`.execute(trx);
  return rows;
};

import { sql } from 'kysely';
import type { Trx } from '#platform/database/schema.ts';

export interface Covered {
  readonly id: string;
  readonly batchId: string | null;
  readonly objectKey: string;
  readonly sha256: string;
  readonly demo: boolean;
  readonly replaces: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
}

/** What is not visible yet; what was published before the ledger is. */
export const listCovered = async (trx: Trx, ids: readonly string[]): Promise<Covered[]> => {
  const { rows } = await sql<Covered>`
    select d.id, d.batch_id as "batchId", d.object_key as "objectKey", d.sha256, d.demo, former.id as replaces,
      d.publisher_key_id as "keyId", d.published_by as "keyName"
    from document d left join document former on former.successor = d.id
    where d.id = any(${ids}::uuid[]) and d.published_at is null`.execute(trx);
  return rows;
};

import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

/** A client's lease, and the export that holds it. */
export interface Lease {
  readonly personalId: string;
  readonly holder: string;
}

/** False while another export holds the lease. */
export const takeLease = async (
  db: Db,
  { personalId, holder }: Lease,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<boolean> => {
  const { rows } = await sql<{ holder: string }>`
    insert into export_lease (personal_id, holder, expires_at) values (${personalId}, ${holder}::uuid, ${expiresAt}::timestamptz)
    on conflict (personal_id) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where export_lease.expires_at <= ${now}::timestamptz
    returning holder`.execute(db);
  return rows.length > 0;
};

export const renewLease = async (db: Db, { personalId, holder }: Lease, expiresAt: Date): Promise<void> => {
  await db
    .updateTable('export_lease')
    .set({ expires_at: expiresAt })
    .where('personal_id', '=', personalId)
    .where('holder', '=', holder)
    .execute();
};

export const deleteLease = async (db: Db, { personalId, holder }: Lease): Promise<void> => {
  await db.deleteFrom('export_lease').where('personal_id', '=', personalId).where('holder', '=', holder).execute();
};

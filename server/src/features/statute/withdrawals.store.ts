import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';

/** Locked, so that acceptances under way are committed and later ones wait; see `insertAcceptance`. */
export const lockVersion = (trx: Trx, version: string) =>
  trx
    .selectFrom('statute')
    .select(['id', 'version', 'effective_from as effectiveFrom'])
    .where('version', '=', version)
    .forUpdate()
    .executeTakeFirst();

export const isWithdrawn = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('statute_withdrawal').select('statute_id').where('statute_id', '=', id).executeTakeFirst()) !== undefined;

export const isAcceptedByAny = async (trx: Trx, id: string): Promise<boolean> =>
  (await trx.selectFrom('statute_acceptance').select('statute_id').where('statute_id', '=', id).limit(1).executeTakeFirst()) !== undefined;

interface Withdrawal {
  readonly id: string;
  readonly at: Date;
  readonly key: Pick<PublisherCaller, 'keyId' | 'name'>;
  readonly reason: string;
}

export const insertWithdrawal = async (trx: Trx, { id, at, key, reason }: Withdrawal): Promise<void> => {
  await trx
    .insertInto('statute_withdrawal')
    .values({ statute_id: id, withdrawn_at: at, key_id: key.keyId, key_name: key.name, reason })
    .execute();
};

/** Every version, as `listVersions` orders them, with how many clients have accepted it. */
export const listKept = (db: Db) =>
  db
    .selectFrom('statute as s')
    .leftJoin('statute_withdrawal as w', 'w.statute_id', 's.id')
    .select(['s.id', 's.version', 's.effective_from as effectiveFrom', 's.published_at as publishedAt', 's.sha256', 's.changes'])
    .select(['w.withdrawn_at as withdrawnAt', 'w.key_id as keyId', 'w.key_name as keyName', 'w.reason'])
    .select(sql<number>`(select count(*) from statute_acceptance a where a.statute_id = s.id)`.as('acceptances'))
    .orderBy('s.effective_from', 'desc')
    .orderBy('s.published_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute();

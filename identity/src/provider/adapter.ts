import { sql } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Clock } from '../parts.ts';
import type { IdentityDatabase } from '../database/tables.ts';

type Row = { payload: AdapterPayload; consumed_at: Date | null };

const asPayload = (row: Row | undefined): AdapterPayload | undefined => {
  if (row === undefined) return undefined;
  return row.consumed_at === null ? row.payload : { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1_000) };
};

/** All that the provider makes up are base64url. Whatever else is asked for is not looked up: PostgreSQL has no NUL, for one. */
const madeUpId = /^[\w-]{1,255}$/;

/** How the provider keeps its state in PostgreSQL, so that a restart or a second process changes nothing for whoever is signing in. */
export const createAdapter =
  ({ db, clock }: { db: IdentityDatabase; clock: Clock }) =>
  (kind: string): Adapter => ({
    async upsert(id, payload, expiresInSeconds) {
      const row = {
        payload: JSON.stringify(payload),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? null,
        expires_at: expiresInSeconds === undefined ? null : new Date(clock.now().getTime() + expiresInSeconds * 1_000),
      };
      await db
        .insertInto('oidc_payload')
        .values({ kind, id, ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(row))
        .execute();
    },

    async find(id) {
      if (!madeUpId.test(id)) return undefined;
      return asPayload(
        await db
          .selectFrom('oidc_payload')
          .select(['payload', 'consumed_at'])
          .where('kind', '=', kind)
          .where('id', '=', id)
          .executeTakeFirst(),
      );
    },

    findByUid: async (uid) =>
      asPayload(
        await db
          .selectFrom('oidc_payload')
          .select(['payload', 'consumed_at'])
          .where('kind', '=', kind)
          .where('uid', '=', uid)
          .executeTakeFirst(),
      ),

    // Only the device flow, which is off, has user codes.
    findByUserCode: async () => undefined,

    async consume(id) {
      const { numUpdatedRows } = await db
        .updateTable('oidc_payload')
        .set({ consumed_at: clock.now() })
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('consumed_at', 'is', null)
        .executeTakeFirst();
      // The provider looks first and consumes later; of two that come together, only one may have it.
      if (numUpdatedRows !== 1n) throw new errors.InvalidGrant('already consumed');
    },

    async destroy(id) {
      await db.deleteFrom('oidc_payload').where('kind', '=', kind).where('id', '=', id).execute();
    },

    async revokeByGrantId(grantId) {
      await db.deleteFrom('oidc_payload').where('kind', '=', kind).where('grant_id', '=', grantId).execute();
    },
  });

/** Removes what has expired, a portion at a time. */
export const sweepPayloads = async ({ db, clock }: { db: IdentityDatabase; clock: Clock }): Promise<void> => {
  const portion = 1_000;
  let removed = portion;
  while (removed === portion) {
    const result = await db
      .deleteFrom('oidc_payload')
      .where(sql<boolean>`(kind, id) in (
        select kind, id from identity.oidc_payload where expires_at < ${clock.now()} limit ${portion})`)
      .executeTakeFirst();
    removed = Number(result.numDeletedRows);
  }
};

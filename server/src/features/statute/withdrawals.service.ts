import type { AnswerOf, BodyOf, calls } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { standingAt, type VersionsInForce } from './versions-in-force.ts';
import * as store from './withdrawals.store.ts';

interface Parts {
  readonly db: Db;
  readonly versions: Pick<VersionsInForce, 'forget'>;
  readonly clock: Clock;
}

type Kept = Omit<AnswerOf<typeof calls.listStatutes>, 'timeZone'>;

const refused = (problem: string): PortalError => new PortalError('INVALID_STATUS', { fields: { version: problem } });

/** The organisation takes a version back before its day. Its row and its bytes stay: who read it may need them. */
export const createWithdrawals = ({ db, versions, clock }: Parts) => ({
  /**
   * Throws RESOURCE_NOT_FOUND for an unknown version, INVALID_STATUS when its moment has come or a client has accepted it. An acceptance and a
   * withdrawal at once: one of them is refused.
   */
  async withdraw(
    { version, reason }: BodyOf<typeof calls.withdrawStatute>,
    key: PublisherCaller,
  ): Promise<AnswerOf<typeof calls.withdrawStatute>> {
    const answer = await db.transaction().execute(async (trx) => {
      const statute = await store.lockVersion(trx, version);
      if (statute === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      const { id, effectiveFrom } = statute;
      if (await store.isWithdrawn(trx, id)) return { id, version, changed: false };
      const at = clock.now();
      if (effectiveFrom <= at) throw refused(`its moment has come: ${effectiveFrom.toISOString()}`);
      if (await store.isAcceptedByAny(trx, id)) throw refused('clients have accepted it');
      await store.insertWithdrawal(trx, { id, at, key, reason });
      return { id, version, changed: true };
    });
    versions.forget();
    return answer;
  },

  async list(): Promise<Kept> {
    const rows = await store.listKept(db);
    const now = clock.now();
    const { inForce } = standingAt(
      rows.filter(({ withdrawnAt }) => withdrawnAt === null),
      now,
    );
    const stateOf = ({ id, withdrawnAt, effectiveFrom }: (typeof rows)[number]): Kept['items'][number]['state'] => {
      if (withdrawnAt !== null) return 'WITHDRAWN';
      if (id === inForce?.id) return 'IN_FORCE';
      return effectiveFrom > now ? 'UPCOMING' : 'PAST';
    };
    return {
      items: rows.map((row) => {
        const { effectiveFrom, publishedAt, withdrawnAt, keyId, keyName, reason, ...version } = row;
        return {
          ...version,
          state: stateOf(row),
          effectiveFrom: effectiveFrom.getTime(),
          publishedAt: publishedAt.getTime(),
          withdrawn:
            withdrawnAt === null || keyId === null || keyName === null || reason === null
              ? null
              : { at: withdrawnAt.getTime(), keyId, keyName, reason },
        };
      }),
    };
  },
});

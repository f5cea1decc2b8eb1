import { addDays, createDayOf, startOfDay } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { SentDocumentsParts } from './parts.ts';
import { countSentToday } from './sent-documents.store.ts';

/** How many files each client may still send on a day of the organisation. */
export interface Quota {
  countLeft(db: Db, caller: ClientCaller): Promise<number>;
  /** Throws CALL_NOT_PERMITTED (429) when there is none. */
  assertLeft(db: Db, caller: ClientCaller): Promise<void>;
  /** What `act` refuses counts as one of the client's files of the day, since it had to be received and looked into as any other. */
  countRefusal<Result>(caller: ClientCaller, act: () => Promise<Result>): Promise<Result>;
}

/** Refused files are known to this process alone, and forgotten with it, as nothing but its own work is protected. */
export const createQuota = ({ settings, clock }: Pick<SentDocumentsParts, 'clock' | 'settings'>): Quota => {
  const { timeZone, sendingFilesPerDay } = settings;
  const dayOf = createDayOf(timeZone);
  const counted = new WeakSet<Error>();
  let refused = { day: '', counts: new Map<string, number>() };

  /** Of today: each day begins with none. */
  const refusedToday = (): Map<string, number> => {
    const day = dayOf(clock.now().getTime());
    if (refused.day !== day) refused = { day, counts: new Map() };
    return refused.counts;
  };

  const countLeft = async (db: Db, { personalId }: ClientCaller): Promise<number> => {
    const sent = await countSentToday(db, personalId, { now: clock.now(), timeZone });
    return Math.max(0, sendingFilesPerDay - sent - (refusedToday().get(personalId) ?? 0));
  };

  return {
    countLeft,

    async assertLeft(db, caller) {
      if ((await countLeft(db, caller)) > 0) return;
      const nowMs = clock.now().getTime();
      const againMs = startOfDay(addDays(dayOf(nowMs), 1), timeZone) - nowMs;
      throw new PortalError('CALL_NOT_PERMITTED', {
        message: `Not more than ${sendingFilesPerDay} documents a day`,
        retryAfterSeconds: Math.max(1, Math.ceil(againMs / 1_000)),
      });
    },

    async countRefusal({ personalId }, act) {
      try {
        return await act();
      } catch (error) {
        const isRefusal = error instanceof PortalError && error.status < 500 && error.status !== 429;
        // Counted once: one refusal may pass here twice.
        if (isRefusal && !counted.has(error)) {
          counted.add(error);
          refusedToday().set(personalId, (refusedToday().get(personalId) ?? 0) + 1);
        }
        throw error;
      }
    },
  };
};

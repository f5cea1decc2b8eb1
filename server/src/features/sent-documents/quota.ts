import { addDays, createDayOf, startOfDay } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { SentDocumentsParts } from './parts.ts';
import { countSent } from './sent-documents.store.ts';

/** How many files each client may still send: in the session that is signed in, and on a day of the organisation. */
export interface Quota {
  countLeft(db: Db, caller: ClientCaller): Promise<Left>;
  /** Throws CALL_NOT_PERMITTED (429) when there is none. */
  assertLeft(db: Db, caller: ClientCaller): Promise<void>;
  /** What `act` refuses counts as one of the client's files, since it had to be received and looked into as any other. */
  countRefusal<Result>(caller: ClientCaller, act: () => Promise<Result>): Promise<Result>;
}

interface Left {
  readonly today: number;
  readonly inSession: number;
}

type Settings = Pick<SentDocumentsParts['settings'], 'timeZone' | 'sendingFilesPerDay' | 'sendingFilesPerSession' | 'sessionAbsoluteMs'>;

/** Refused files are known to this process alone, and forgotten with it, as nothing but its own work is protected. */
export const createQuota = ({ settings, clock }: Pick<SentDocumentsParts, 'clock'> & { readonly settings: Settings }): Quota => {
  const { timeZone, sendingFilesPerDay, sendingFilesPerSession } = settings;
  const dayOf = createDayOf(timeZone);
  const counted = new WeakSet<Error>();
  let refused = { day: '', counts: new Map<string, number>() };

  /** Of today, by client and by session: each day begins with none. */
  const refusedToday = (): Map<string, number> => {
    const day = dayOf(clock.now().getTime());
    if (refused.day !== day) refused = { day, counts: new Map() };
    return refused.counts;
  };

  const countLeft = async (db: Db, { personalId, sessionId, sessionBeganAt: began }: ClientCaller): Promise<Left> => {
    const sent = await countSent(db, personalId, { now: clock.now(), timeZone, began });
    const refusals = refusedToday();
    return {
      today: Math.max(0, sendingFilesPerDay - sent.today - (refusals.get(personalId) ?? 0)),
      inSession: Math.max(0, sendingFilesPerSession - sent.inSession - (refusals.get(sessionId) ?? 0)),
    };
  };

  const refuse = (message: string, againMs: number): PortalError =>
    new PortalError('CALL_NOT_PERMITTED', { message, retryAfterSeconds: Math.max(1, Math.ceil(againMs / 1_000)) });

  return {
    countLeft,

    async assertLeft(db, caller) {
      const left = await countLeft(db, caller);
      const nowMs = clock.now().getTime();
      if (left.today === 0)
        throw refuse(`Not more than ${sendingFilesPerDay} documents a day`, startOfDay(addDays(dayOf(nowMs), 1), timeZone) - nowMs);
      if (left.inSession === 0)
        throw refuse(
          `Not more than ${sendingFilesPerSession} documents in one session`,
          caller.sessionBeganAt.getTime() + settings.sessionAbsoluteMs - nowMs,
        );
    },

    async countRefusal({ personalId, sessionId }, act) {
      try {
        return await act();
      } catch (error) {
        const isRefusal = error instanceof PortalError && error.status < 500 && error.status !== 429;
        // Counted once: one refusal may pass here twice.
        if (isRefusal && !counted.has(error)) {
          counted.add(error);
          for (const one of [personalId, sessionId]) refusedToday().set(one, (refusedToday().get(one) ?? 0) + 1);
        }
        throw error;
      }
    },
  };
};

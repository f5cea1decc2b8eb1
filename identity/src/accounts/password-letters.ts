import type { IdentityDatabase } from '../database/tables.ts';
import { type Clock, type IdentityLog, type IdentityPost, type People, personalIdPattern } from '../parts.ts';
import { subjects, type Throttle } from '../throttle/throttle.ts';
import type { LinkLetters, Purpose } from './link-letter.ts';
import * as store from './password-store.ts';

export type RequestOutcome =
  | { readonly kind: 'sent' }
  /** Nobody knows where to write to, or the password is not kept here. */
  | { readonly kind: 'noAddress' }
  | { readonly kind: 'wait'; readonly seconds: number };

interface Parts {
  readonly db: IdentityDatabase;
  readonly mail: IdentityPost;
  readonly people: People;
  readonly throttle: Throttle;
  readonly letters: LinkLetters;
  /** Whether a first password takes a code beside the link. */
  readonly isCodeNeeded: boolean;
  readonly clock: Clock;
  readonly log: IdentityLog;
}

export interface PasswordLetters {
  /** For somebody who is signed in. */
  requestReset(personalId: string): Promise<RequestOutcome>;
  /**
   * For whoever asks. Counts and answers the same for every id, and does the rest afterwards; `settled` waits for it. Gives the seconds to
   * wait when it was asked too often.
   */
  requestResetFor(personalId: string, address: string): Promise<number>;
  /** A notice; that it could not be sent undoes nothing. */
  tellOfChange(personalId: string): Promise<void>;
  settled(): Promise<void>;
}

/** Mails about passwords that somebody has asked for or has to know of. */
export const createPasswordLetters = ({ db, mail, people, throttle, letters, isCodeNeeded, clock, log }: Parts): PasswordLetters => {
  const underWay = new Set<Promise<void>>();

  /** Of a link for somebody without a password; undefined when there can be none: it would take a code that nobody was given. */
  const purposeOfFirst = (codeHash: string | null): Purpose | undefined => {
    if (codeHash !== null) return 'activationWithCode';
    return isCodeNeeded ? undefined : 'activation';
  };

  /** A reset for whoever has a password, a first one for whoever has none; nothing for a disabled account. */
  const sendLink = async (personalId: string): Promise<boolean> => {
    const person = await people.find(personalId);
    if (person?.email === undefined || person.email === null) return false;
    const account = await db
      .selectFrom('account')
      .select(['password_hash', 'disabled_at'])
      .where('personal_id', '=', personalId)
      .executeTakeFirst();
    if (account !== undefined && account.disabled_at !== null) return false;
    const boundTo = account?.password_hash ?? null;
    const codeHash = boundTo === null ? await store.findCodeHash(db, personalId) : null;
    const purpose = boundTo === null ? purposeOfFirst(codeHash) : 'reset';
    if (purpose === undefined) return false;
    const at = clock.now();
    const { letter, tokenHash, expiresAt } = letters.write({ personalId, email: person.email, language: person.language }, purpose, at);
    await mail.send(letter);
    // Last: whoever asks again after a crash in between is mailed again, and no older link was voided for nothing.
    await store.putLinks(db, [{ personalId, tokenHash, boundTo, codeHash, at, expiresAt }]);
    return true;
  };

  return {
    async requestReset(personalId) {
      const seconds = await throttle.take([subjects.linksOf(personalId)]);
      if (seconds > 0) return { kind: 'wait', seconds };
      return { kind: (await sendLink(personalId)) ? 'sent' : 'noAddress' };
    },

    async requestResetFor(personalId, address) {
      const seconds = await throttle.take([subjects.linksOf(personalId), subjects.linksFrom(address)]);
      if (seconds > 0 || !personalIdPattern.test(personalId)) return seconds;
      // Not waited for: its time would tell who is known.
      const work = sendLink(personalId)
        .then(
          (isSent) => log.info({ isSent }, 'identity: a new password was asked for'),
          (error: unknown) => log.error({ err: error }, 'identity: a link could not be mailed'),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
      return seconds;
    },

    async tellOfChange(personalId) {
      try {
        const person = await people.find(personalId);
        if (person?.email === undefined || person.email === null) return;
        const { email: to, language } = person;
        await mail.send({ to, language, template: 'passwordChanged', values: { time: letters.formatTime(clock.now(), language) } });
      } catch (error) {
        log.error({ err: error }, 'identity: the notice of a new password could not be mailed');
      }
    },

    async settled() {
      await Promise.all(underWay);
    },
  };
};

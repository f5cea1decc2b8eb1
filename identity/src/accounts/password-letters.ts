import { createHash, randomBytes } from 'node:crypto';
import type { IdentityDatabase } from '../database/tables.ts';
import { type Clock, type IdentityLog, type IdentityPost, mountPath, type People, personalIdPattern } from '../parts.ts';
import { subjects, type Throttle } from '../throttle/throttle.ts';
import * as store from './password-store.ts';

const resetLifetimeMs = 30 * 60_000;
const activationLifetimeMs = 7 * 24 * 3_600_000;

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
  readonly publicUrl: URL;
  readonly timeZone: string;
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
  /** Mails a person without a password a link that sets the first one, once. Says whether it did. */
  invite(personalId: string): Promise<boolean>;
  /** A notice; that it could not be sent undoes nothing. */
  tellOfChange(personalId: string): Promise<void>;
  hashOf(token: string): Buffer;
  settled(): Promise<void>;
}

/** Everything about passwords that goes by mail. Of a link only its hash is kept; it stands behind `#`, where no server and no log sees it. */
export const createPasswordLetters = ({ db, mail, people, throttle, publicUrl, timeZone, clock, log }: Parts): PasswordLetters => {
  const underWay = new Set<Promise<void>>();

  const hashOf: PasswordLetters['hashOf'] = (token) => createHash('sha256').update(token).digest();

  const formatTime = (at: Date, language: 'PL' | 'EN'): string =>
    new Intl.DateTimeFormat(language === 'PL' ? 'pl-PL' : 'en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at);

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
    const token = randomBytes(32).toString('base64url');
    const at = clock.now();
    const expiresAt = new Date(at.getTime() + (boundTo === null ? activationLifetimeMs : resetLifetimeMs));
    const { email: to, language } = person;
    const link = new URL(`${mountPath}/reset?lang=${language.toLowerCase()}#${token}`, publicUrl).href;
    await mail.send({
      to,
      language,
      template: boundTo === null ? 'activation' : 'passwordReset',
      values: { link, time: formatTime(expiresAt, language) },
    });
    // Last: whoever asks again after a crash in between is mailed again, and no older link was voided for nothing.
    await store.putLink(db, { tokenHash: hashOf(token), link: { personalId, boundTo }, at, expiresAt });
    return true;
  };

  return {
    hashOf,

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

    async invite(personalId) {
      const account = await db.selectFrom('account').select('personal_id').where('personal_id', '=', personalId).executeTakeFirst();
      if (account !== undefined || (await store.wasInvited(db, personalId))) return false;
      return sendLink(personalId);
    },

    async tellOfChange(personalId) {
      try {
        const person = await people.find(personalId);
        if (person?.email === undefined || person.email === null) return;
        const { email: to, language } = person;
        await mail.send({ to, language, template: 'passwordChanged', values: { time: formatTime(clock.now(), language) } });
      } catch (error) {
        log.error({ err: error }, 'identity: the notice of a new password could not be mailed');
      }
    },

    async settled() {
      await Promise.all(underWay);
    },
  };
};

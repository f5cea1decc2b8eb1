import type { Kysely } from 'kysely';
import { ownTables } from '../database/tables.ts';
import { type Clock, type IdentityLog, type IdentityPost, type People, personalIdPattern } from '../parts.ts';
import { subjects, type Subject, type Throttle } from '../throttle/throttle.ts';
import type { Devices } from './devices.ts';
import type { LinkLetters, Purpose } from './link-letter.ts';
import * as store from './password-store.ts';

export type RequestOutcome =
  | { readonly kind: 'sent' }
  /** Nobody knows where to write to, or the password is not kept here. */
  | { readonly kind: 'noAddress' }
  | { readonly kind: 'wait'; readonly seconds: number };

interface Parts<Schema> {
  readonly db: Kysely<Schema>;
  readonly mail: IdentityPost<Schema>;
  readonly people: People;
  readonly throttle: Throttle;
  readonly devices: Pick<Devices, 'isKnown'>;
  readonly letters: LinkLetters;
  /** Whether a first password takes a code beside the link. */
  readonly isCodeNeeded: boolean;
  readonly clock: Clock;
  readonly log: IdentityLog;
}

export interface LinkAsker {
  readonly address: string;
  /** The token that this browser was given when somebody signed in here before. */
  readonly device: string | undefined;
}

export interface PasswordLetters {
  /** For somebody who is signed in. */
  requestReset(personalId: string): Promise<RequestOutcome>;
  /**
   * For whoever asks. Counts and answers the same for every id, and does the rest afterwards; `settled` waits for it. Gives the seconds to
   * wait when this asker asked too often. However many others ask, the owner is mailed a link, or has been mailed three that still work.
   */
  requestResetFor(personalId: string, asker: LinkAsker): Promise<number>;
  /** A notice; that it could not be sent undoes nothing. */
  tellOfChange(personalId: string): Promise<void>;
  settled(): Promise<void>;
}

/** Mails about passwords that somebody has asked for or has to know of. */
export const createPasswordLetters = <Schema>({
  db: anyDb,
  mail,
  people,
  throttle,
  devices,
  letters,
  isCodeNeeded,
  clock,
  log,
}: Parts<Schema>): PasswordLetters => {
  const db = ownTables(anyDb);
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
    await anyDb.transaction().execute(async (trx) => {
      await store.addLinks(ownTables(trx), [{ personalId, tokenHash, boundTo, codeHash, at, expiresAt }]);
      await mail.send(letter, trx);
    });
    return true;
  };

  const subjectsOf = (personalId: string, { address, device }: LinkAsker, { isKnown }: { isKnown: boolean }): readonly Subject[] =>
    isKnown && device !== undefined
      ? [subjects.linksForDevice(personalId, device)]
      : [subjects.linksForStranger(personalId, address), ...subjects.linksFrom(address)];

  /** Unless the person has as many that still work: a mailbox is not for strangers to fill. */
  const sendLinkForStranger = async (personalId: string): Promise<boolean> => {
    const mailed = subjects.linksMailed(personalId);
    if ((await throttle.take([mailed])) > 0) return false;
    const isSent = await sendLink(personalId).catch(async (error: unknown) => {
      await throttle.giveBack([mailed]);
      throw error;
    });
    return isSent;
  };

  return {
    async requestReset(personalId) {
      const seconds = await throttle.take([subjects.linksForOwner(personalId)]);
      if (seconds > 0) {
        log.warn({ personalId, seconds }, 'identity: too many links asked for');
        return { kind: 'wait', seconds };
      }
      log.info({ personalId, audit: 'LINK_ASKED' }, 'identity: a link was asked for by its owner');
      return { kind: (await sendLink(personalId)) ? 'sent' : 'noAddress' };
    },

    async requestResetFor(personalId, asker) {
      const isWellFormed = personalIdPattern.test(personalId);
      const isKnown = isWellFormed && asker.device !== undefined && (await devices.isKnown(asker.device, personalId));
      const seconds = await throttle.take(subjectsOf(personalId, asker, { isKnown }));
      if (seconds > 0) log.warn({ seconds }, 'identity: too many links asked for');
      if (seconds > 0 || !isWellFormed) return seconds;
      log.info({ isKnown, audit: 'LINK_ASKED' }, 'identity: a link was asked for');
      // Not waited for: its time would tell who is known.
      const work = (isKnown ? sendLink(personalId) : sendLinkForStranger(personalId))
        .then(
          (isSent) => log.info({ isSent }, 'identity: a link that was asked for was mailed or not'),
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
        const values = { time: letters.formatTime(clock.now(), language) };
        await anyDb.transaction().execute((trx) => mail.send({ to, language, template: 'passwordChanged', values }, trx));
      } catch (error) {
        log.error({ err: error }, 'identity: the notice of a new password could not be mailed');
      }
    },

    async settled() {
      await Promise.all(underWay);
    },
  };
};

import type { Kysely } from 'kysely';
import { type Clock, type IdentityLog, type IdentityPost, type People, personalIdPattern } from '../parts.ts';
import { subjects, type Subject, type Throttle } from '../throttle/throttle.ts';
import type { Devices } from './devices.ts';
import type { LinkLetters } from './link-letter.ts';
import { createLinkSending, type RequestOutcome } from './link-sending.ts';

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
  /** The token that this browser got at an earlier sign-in. */
  readonly device: string | undefined;
}

export interface PasswordLetters {
  /** For a person who is signed in. */
  requestReset(personalId: string): Promise<RequestOutcome>;
  /**
   * For anonymous callers. Counts and answers the same for every id, and does the rest afterwards; `settled` waits for it. Gives the seconds to
   * wait when this asker asked too often. However many others ask, the owner is mailed a link, or has been mailed three that still work.
   */
  requestResetFor(personalId: string, asker: LinkAsker): Promise<number>;
  /** A notice; that it could not be sent undoes nothing. */
  tellOfChange(personalId: string): Promise<void>;
  settled(): Promise<void>;
}

/** Mails about passwords: links that were asked for, and news that the owner must get. */
export const createPasswordLetters = <Schema>({
  db,
  mail,
  people,
  throttle,
  devices,
  letters,
  isCodeNeeded,
  clock,
  log,
}: Parts<Schema>): PasswordLetters => {
  const { sendLink, sendLinkForStranger } = createLinkSending({ db, mail, people, throttle, letters, isCodeNeeded, clock });
  const underWay = new Set<Promise<void>>();

  return {
    async requestReset(personalId) {
      const seconds = await throttle.take([subjects.linksForOwner(personalId)]);
      if (seconds > 0) {
        log.warn({ personalId, seconds }, 'identity: too many links requested');
        return { kind: 'wait', seconds };
      }
      log.info({ personalId, audit: 'LINK_ASKED' }, 'identity: a link was requested by its owner');
      return sendLink(personalId);
    },

    async requestResetFor(personalId, asker) {
      const isWellFormed = personalIdPattern.test(personalId);
      const isKnown = isWellFormed && asker.device !== undefined && (await devices.isKnown(asker.device, personalId));
      const seconds = await throttle.take(subjectsOf(personalId, asker, { isKnown }));
      if (seconds > 0) log.warn({ seconds }, 'identity: too many links requested');
      if (seconds > 0 || !isWellFormed) return seconds;
      log.info({ isKnown, audit: 'LINK_ASKED' }, 'identity: a link was requested');
      // Not awaited: the time of the answer would reveal who is known.
      const work = (isKnown ? sendLink(personalId) : sendLinkForStranger(personalId))
        .then(
          ({ kind }) => log.info({ isSent: kind === 'sent' }, 'identity: the request for a link was processed'),
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
        await db.transaction().execute((trx) => mail.send({ to, language, template: 'passwordChanged', values }, trx));
      } catch (error) {
        log.error({ err: error }, 'identity: the notice of a new password could not be mailed');
      }
    },

    async settled() {
      await Promise.all(underWay);
    },
  };
};

const subjectsOf = (personalId: string, { address, device }: LinkAsker, { isKnown }: { isKnown: boolean }): readonly Subject[] =>
  isKnown && device !== undefined
    ? [subjects.linksForDevice(personalId, device)]
    : [subjects.linksForStranger(personalId, address), ...subjects.linksFrom(address)];

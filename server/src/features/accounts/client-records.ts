import type { AnswerOf, calls, ClientRecord, LanguageCode } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import { replaceGroups } from '#features/deliveries/deliveries.door.ts';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Mail, MailMessage } from '#platform/mail/mail.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { PasswordAccounts } from './password-accounts.ts';
import { addressesToTell } from './accounts.rules.ts';
import * as store from './client-records.store.ts';

export interface ClientRecords {
  /**
   * All or nothing, mail included. Passwords are given only to people who have none yet; who is given none is mailed a link that sets one,
   * once (`reinvite`: again). Whoever is to be reached elsewhere from now on is told so, at the old address too.
   */
  upsert(records: readonly ClientRecord[], options?: { demo?: boolean; reinvite?: boolean }): Promise<UpsertAnswer>;
}

type UpsertAnswer = AnswerOf<typeof calls.upsertClients>;

interface Parts {
  readonly db: Kysely<Database>;
  readonly passwords: PasswordAccounts | undefined;
  readonly mail: Mail;
  readonly notifications: Pick<Notifications, 'tellOfAccountUpdates'>;
  readonly languages: readonly LanguageCode[];
  readonly settings: Pick<Settings, 'timeZone'>;
  readonly clock: Clock;
  readonly log: Log;
}

const firstRepeated = (values: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return values.find((value) => seen.size === seen.add(value).size);
};

/** Who has a password to be kept here: given with the record, or to be set through a link. */
const isLocal = ({ managed }: ClientRecord): boolean => managed !== true;

/** Writes what the organisation says about its clients: a few statements for a batch, whatever its size. */
export const createClientRecords = ({ db, passwords, mail, notifications, languages, settings, clock, log }: Parts): ClientRecords => {
  const moment = (at: Date, language: LanguageCode): string =>
    new Intl.DateTimeFormat(language === 'EN' ? 'en-GB' : language.toLowerCase(), {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: settings.timeZone,
    }).format(at);

  const assertSensible = (records: readonly ClientRecord[]): void => {
    const repeated = firstRepeated(records.map(({ personalId }) => personalId));
    if (repeated !== undefined) throw invalidField('personalId', 'given twice in one call');
    const isForeign = records.some(({ language }) => language !== undefined && !languages.includes(language));
    if (isForeign) throw invalidField('language', `must be one of ${languages.join(', ')}`);
  };

  const noticesOf = ({ record, previous, language }: store.Written, now: Date): MailMessage[] =>
    addressesToTell(previous, record).map((to) => ({
      to,
      language,
      template: 'contactChanged',
      values: { time: moment(now, language) },
    }));

  const newcomersOf = (written: readonly store.Written[]) =>
    written.flatMap(({ record, language }) => {
      const { personalId, email, initialPassword } = record;
      return isLocal(record) && initialPassword === undefined && typeof email === 'string' ? [{ personalId, email, language }] : [];
    });

  /** The demonstration never touches a client of the organisation. */
  const withoutOwn = async (records: readonly ClientRecord[]): Promise<readonly ClientRecord[]> => {
    const ids = records.map(({ personalId }) => personalId);
    const own = new Set(await store.listOwn(db, ids));
    return records.filter(({ personalId }) => !own.has(personalId));
  };

  return {
    async upsert(given, { demo = false, reinvite = false } = {}) {
      assertSensible(given);
      const records = demo ? await withoutOwn(given) : given;
      // Before anybody is kept waiting for the transaction.
      const firstPasswords = records
        .filter(isLocal)
        .flatMap(({ personalId, initialPassword: password }) => (password === undefined ? [] : [{ personalId, password }]));
      const hashed = (await passwords?.hashFirstPasswords(firstPasswords)) ?? [];
      const { written, invitations } = await db.transaction().execute(async (trx) => {
        await store.lockClients(trx);
        const now = clock.now();
        const done = await store.upsertClients(trx, records, { demo, now, standard: languages[0] ?? 'PL' });
        const memberships = records.flatMap(({ cif, groups }) => (groups === undefined ? [] : [{ cif, groups }]));
        await replaceGroups(trx, memberships, now);
        await passwords?.createHashed(hashed, trx);
        const invited = (await passwords?.invite(newcomersOf(done), { within: trx, again: reinvite })) ?? [];
        await mail.sendAll([...done.flatMap((one) => noticesOf(one, now)), ...invited.map(({ letter }) => letter)], trx);
        const changed = done.filter(({ outcome }) => outcome === 'changed').map(({ record }) => record.personalId);
        await notifications.tellOfAccountUpdates(trx, changed, now);
        return { written: done, invitations: invited };
      });
      const countOf = (wanted: store.Written['outcome']): number => written.filter(({ outcome }) => outcome === wanted).length;
      const counts = { created: countOf('created'), changed: countOf('changed'), unchanged: countOf('unchanged') };
      log.info({ ...counts, invited: invitations.length }, 'clients written');
      const activationCodes = invitations.flatMap(({ personalId, code }) => (code === undefined ? [] : [{ personalId, code }]));
      return activationCodes.length === 0 ? counts : { ...counts, activationCodes };
    },
  };
};

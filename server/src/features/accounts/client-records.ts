import type { AnswerOf, calls, ClientRecord, LanguageCode } from '@pergamin/contract';
import { replaceGroups } from '#features/deliveries/deliveries.door.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { MailMessage } from '#platform/mail/mail.ts';
import { addressesToTell, findMisdirection, linksFrom } from './accounts.rules.ts';
import * as store from './client-records.store.ts';
import { recordMemberships } from './groups.ts';
import type { AccountsParts } from './parts.ts';

export type ClientRecords = ReturnType<typeof createClientRecords>;

type UpsertAnswer = AnswerOf<typeof calls.upsertClients>;

const assertSensible = (records: readonly ClientRecord[], languages: readonly LanguageCode[]): void => {
  if (new Set(records.map(({ personalId }) => personalId)).size < records.length)
    throw invalidField('personalId', 'given twice in one call');
  const isForeign = records.some(({ language }) => language !== undefined && !languages.includes(language));
  if (isForeign) throw invalidField('language', `must be one of ${languages.join(', ')}`);
};

/** Who is to be invited. */
const newcomersOf = (written: readonly store.Written[]) =>
  written.flatMap(({ record: { personalId, initialPassword }, current: { managed, email }, language }) =>
    !managed && initialPassword === undefined && email !== null ? [{ personalId, email, language }] : [],
  );

/** A client of an outside service has no password here, also where the record does not say whose the client is. */
const withoutManaged = <Account extends { readonly personalId: string }>(
  accounts: readonly Account[],
  written: readonly store.Written[],
) => {
  const managed = new Set(written.filter(({ current }) => current.managed).map(({ record }) => record.personalId));
  return accounts.filter(({ personalId }) => !managed.has(personalId));
};

const createNotices = ({ settings }: Pick<AccountsParts, 'settings'>) => {
  const moment = (at: Date, language: LanguageCode): string =>
    new Intl.DateTimeFormat(language === 'EN' ? 'en-GB' : language.toLowerCase(), {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: settings.timeZone,
    }).format(at);

  return ({ previous, current, language }: store.Written, now: Date): MailMessage[] =>
    addressesToTell(previous, current).map((to) => ({
      to,
      language,
      template: 'contactChanged',
      values: { time: moment(now, language) },
    }));
};

/** The demonstration never touches a client of the organisation. */
const withoutOwn = async (db: AccountsParts['db'], records: readonly ClientRecord[]): Promise<readonly ClientRecord[]> => {
  const ids = records.map(({ personalId }) => personalId);
  const own = new Set(await store.listOwn(db, ids));
  return records.filter(({ personalId }) => !own.has(personalId));
};

const findMisdirected = (written: readonly store.Written[], { settings, log }: Pick<AccountsParts, 'settings' | 'log'>) => {
  const misdirected = written.flatMap(({ record: { personalId }, current: { managed } }) => {
    const service = findMisdirection(settings.identityServices, { personalId, managed });
    return service === undefined ? [] : [{ personalId, managed, service }];
  });
  if (misdirected.length > 0)
    log.warn({ clients: misdirected.length }, 'clients were written who cannot sign in: managed contradicts IDENTITY_SERVICES');
  return misdirected;
};

/** Writes what the organisation says about its clients, with a constant number of statements for a batch of any size. */
export const createClientRecords = ({ db, passwords, mail, notifications, languages, settings, clock, log }: AccountsParts) => {
  const noticesOf = createNotices({ settings });

  /** Its address is new, so that no link that sets a password is mailed to it yet. */
  const isQuiet = ({ current, emailChangedAt }: store.Written, now: Date): boolean =>
    !current.managed && current.email !== null && (linksFrom(emailChangedAt, settings)?.getTime() ?? 0) > now.getTime();

  return {
    /**
     * All or nothing, mail included. What a record leaves out stays as it was. Passwords are given only to people who have none yet; who is given none is mailed a link that sets one,
     * once (`reinvite`: again). A person whose address or number has changed is told so, at the old address too.
     */
    async upsert(
      given: readonly ClientRecord[],
      { key, reinvite = false }: { key?: PublisherCaller; reinvite?: boolean } = {},
    ): Promise<UpsertAnswer> {
      const demo = key?.demo ?? false;
      assertSensible(given, languages);
      const records = demo ? await withoutOwn(db, given) : given;
      // Outside the transaction, which would hold its locks while hashing.
      const firstPasswords = records
        .filter(({ managed }) => managed !== true)
        .flatMap(({ personalId, initialPassword: password }) => (password === undefined ? [] : [{ personalId, password }]));
      const hashed = (await passwords?.hashFirstPasswords(firstPasswords)) ?? [];
      const { written, invitations, quiet } = await db.transaction().execute(async (trx) => {
        await store.lockClients(trx);
        const now = clock.now();
        const done = await store.upsertClients(trx, records, { demo, now, standard: languages[0] ?? 'PL' });
        const memberships = records.flatMap(({ cif, groups }) => (groups === undefined ? [] : [{ cif, groups }]));
        const moved = await replaceGroups(trx, memberships, now);
        if (key !== undefined) await recordMemberships(trx, moved, key);
        await passwords?.createHashed(withoutManaged(hashed, done), trx);
        const invited =
          (await passwords?.invite(newcomersOf(done.filter((one) => !isQuiet(one, now))), { within: trx, again: reinvite })) ?? [];
        await mail.sendAll([...done.flatMap((one) => noticesOf(one, now)), ...invited.map(({ letter }) => letter)], trx);
        const changed = done.filter(({ outcome }) => outcome === 'changed').map(({ record }) => record.personalId);
        await notifications.tellOfAccountUpdates(trx, changed, now);
        return { written: done, invitations: invited, quiet: done.filter((one) => one.outcome === 'changed' && isQuiet(one, now)).length };
      });
      const countOf = (wanted: store.Written['outcome']): number => written.filter(({ outcome }) => outcome === wanted).length;
      const counts = {
        created: countOf('created'),
        changed: countOf('changed'),
        unchanged: countOf('unchanged'),
        ...(quiet === 0 ? {} : { quiet }),
      };
      log.info({ ...counts, invited: invitations.length }, 'clients written');
      const activationCodes = invitations.flatMap(({ personalId, code }) => (code === undefined ? [] : [{ personalId, code }]));
      const misdirected = findMisdirected(written, { settings, log });
      return {
        ...counts,
        ...(activationCodes.length === 0 ? {} : { activationCodes }),
        ...(misdirected.length === 0 ? {} : { misdirected }),
      };
    },
  };
};

import type { AccountInfo, ChannelId, ClientRecord, LanguageCode, UserInfo } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Mail } from '#platform/mail/mail.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { PasswordAccounts } from './accounts.door.ts';
import { addressesToTell, findPasswordKeeper } from './accounts.rules.ts';
import * as store from './accounts.store.ts';

export interface Accounts {
  /** Undefined when nobody is known under this id: told to nobody outside. */
  find(
    personalId: string,
  ): Promise<(UserInfo & { readonly cif: string; readonly cif2: string | null; readonly state: 'ACTIVE' | 'CLOSED' }) | undefined>;
  getSelf(personalId: string): Promise<UserInfo>;
  /** Where to write to about a password that is kept here; undefined for ids that nobody has and for `managed` clients. */
  findContact(personalId: string): Promise<{ readonly email: string | null; readonly language: LanguageCode } | undefined>;
  getAccount(personalId: string): Promise<AccountInfo>;
  /** Throws VALIDATION_ERROR by the field that is missing: an `email` or a `phone` to reach the client at. */
  setupChannel(personalId: string, channel: ChannelId): Promise<void>;
  /**
   * All or nothing. Passwords are given only to people who have none yet; who is given none is mailed a link that sets one. Whoever is to be
   * reached elsewhere from now on is told so, at the old address too.
   */
  upsert(records: readonly ClientRecord[], options?: { demo?: boolean }): Promise<{ created: number; changed: number; unchanged: number }>;
  /** Shown to the client as the previous successful login from the next one on. */
  recordSignIn(personalId: string, at: Date): Promise<void>;
  /** Whether all these customer numbers belong to clients; names the ones that do not. */
  findUnknownCifs(cifs: readonly string[]): Promise<string[]>;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly passwords: PasswordAccounts | undefined;
  readonly mail: Mail;
  readonly notifications: Pick<Notifications, 'tellOfAccountUpdates'>;
  readonly settings: Pick<Settings, 'timeZone' | 'identityServices'>;
  readonly clock: Clock;
  readonly log: Log;
}

const firstRepeated = (values: readonly string[]): string | undefined => values.find((value, index) => values.indexOf(value) !== index);

/** Nobody was asked yet which language mail should have; the default of the house is Polish (B10). */
const mailLanguage: LanguageCode = 'PL';

export const createAccountService = ({ db, passwords, mail, notifications, settings, clock, log }: Parts): Accounts => {
  const moment = new Intl.DateTimeFormat('pl-PL', { dateStyle: 'long', timeStyle: 'short', timeZone: settings.timeZone });
  const writtenTime = (at: Date): string => moment.format(at);
  return {
    find: (personalId) => store.findClient(db, personalId),

    async findContact(personalId) {
      const contact = await store.findContact(db, personalId);
      return contact === undefined || contact.managed ? undefined : { email: contact.email, language: mailLanguage };
    },

    async getAccount(personalId) {
      const [account, history] = await Promise.all([store.findAccount(db, personalId), passwords?.signInHistory(personalId)]);
      if (account === undefined) throw new PortalError('ACCESS_DENIED');
      const { previousSignInAt, ...known } = account;
      // Whoever tries the id of a managed client here never signed in wrongly where the client signs in.
      const lastFailureAt = known.managed ? undefined : history?.lastFailureAt;
      return {
        ...known,
        previousSuccessfulLoginDate: previousSignInAt?.getTime() ?? null,
        lastFailureLoginDate: lastFailureAt?.getTime() ?? null,
      };
    },

    async setupChannel(personalId, channel) {
      const isSet = await store.setPreferredChannel(db, { personalId, channel });
      if (!isSet) throw invalidField(channel === 'EMAIL' ? 'email' : 'phone', 'there is none to write to');
    },

    async getSelf(personalId) {
      const client = await store.findUserInfo(db, personalId);
      if (client === undefined) throw new PortalError('ACCESS_DENIED');
      const keeper = client.managed ? findPasswordKeeper(settings.identityServices, personalId) : undefined;
      return keeper === undefined ? client : { ...client, passwordService: { name: keeper.name, url: keeper.passwordUrl } };
    },

    async upsert(records, { demo = false } = {}) {
      const repeated = firstRepeated(records.map((record) => record.personalId));
      if (repeated !== undefined) throw new PortalError('VALIDATION_ERROR', { fields: { personalId: 'given twice in one call' } });
      const counts = await db.transaction().execute(async (trx) => {
        await store.lockClients(trx);
        const result = { created: 0, changed: 0, unchanged: 0 };
        const changed: string[] = [];
        for (const record of records) {
          const { outcome, previous } = await store.upsertClient(trx, record, { demo, now: clock.now() });
          result[outcome] += 1;
          if (outcome === 'changed') changed.push(record.personalId);
          for (const to of addressesToTell(previous, record)) {
            const message = { to, language: mailLanguage, template: 'contactChanged', values: { time: writtenTime(clock.now()) } } as const;
            await mail.send(message, trx);
          }
          if (record.groups !== undefined) await store.replaceGroups(trx, { cif: record.cif, groups: record.groups, now: clock.now() });
        }
        await notifications.tellOfAccountUpdates(trx, changed, clock.now());
        return result;
      });
      // After the commit: a password without a client signs nobody in, a client without a password can still be given one.
      for (const { personalId, initialPassword, managed, email } of records) {
        if (managed === true) continue;
        if (initialPassword !== undefined) await passwords?.create(personalId, initialPassword);
        else if (typeof email === 'string') await passwords?.invite(personalId);
      }
      log.info(counts, 'clients written');
      return counts;
    },

    recordSignIn: (personalId, at) => store.recordSignIn(db, personalId, at),

    findUnknownCifs: (cifs) => store.findUnknownCifs(db, cifs),
  };
};

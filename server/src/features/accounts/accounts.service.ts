import type { AccountInfo, ChannelId, LanguageCode, UserInfo } from '@pergamin/contract';
import type { Pool } from 'pg';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { findPasswordKeeper } from './accounts.rules.ts';
import * as store from './accounts.store.ts';
import type { AccountsParts } from './parts.ts';

export interface AccountService {
  /** Undefined when nobody is known under this id: told to nobody outside. */
  find(personalId: string): Promise<UserInfo | undefined>;
  getSelf(personalId: string): Promise<UserInfo>;
  /** Where to write to about a password that is kept here; undefined for ids that nobody has and for `managed` clients. */
  findContact(
    personalId: string,
  ): Promise<{ readonly email: string | null; readonly language: LanguageCode; readonly names: readonly string[] } | undefined>;
  getAccount(personalId: string): Promise<AccountInfo>;
  /** Throws VALIDATION_ERROR by the field that is missing: an `email` or a `phone` to reach the client at. */
  setupChannel(personalId: string, channel: ChannelId): Promise<void>;
  /**
   * Somebody signed in elsewhere, in this language, which mail follows if the record is `managed` as expected. In one statement, prepared in
   * the pool's connections. Undefined when nobody is known under this id.
   */
  welcome(
    personalId: string,
    arrival: { readonly language: LanguageCode; readonly managed: boolean },
    through: Pool,
  ): Promise<{ readonly personalId: string; readonly managed: boolean } | undefined>;
  /** Whether all these customer numbers belong to clients; names the ones that do not. */
  findUnknownCifs(cifs: readonly string[]): Promise<string[]>;
}

type Parts = Pick<AccountsParts, 'db' | 'passwords' | 'languages' | 'settings'>;

export const createAccountService = ({ db, passwords, languages, settings }: Parts): AccountService => {
  return {
    find: (personalId) => store.findUserInfo(db, personalId),

    async findContact(personalId) {
      const contact = await store.findContact(db, personalId);
      if (contact === undefined || contact.managed) return undefined;
      const { email, language, firstName, lastName } = contact;
      return { email, language, names: [firstName, lastName] };
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

    // The language of the house is what everybody is offered first: whoever takes it may not have chosen at all.
    welcome: (personalId, { language, managed }, through) =>
      store.welcome(through, personalId, { language: languages.indexOf(language) > 0 ? language : null, managed }),

    findUnknownCifs: (cifs) => store.findUnknownCifs(db, cifs),
  };
};

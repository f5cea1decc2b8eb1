import type { AccountInfo, ChannelId, LanguageCode, UserInfo } from '@pergamin/contract';
import type { Pool } from 'pg';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { findPasswordKeeper, linksFrom } from './accounts.rules.ts';
import * as store from './accounts.store.ts';
import type { AccountsParts } from './parts.ts';

export type AccountService = ReturnType<typeof createAccountService>;

type Parts = Pick<AccountsParts, 'db' | 'passwords' | 'languages' | 'settings'>;

export interface Contact {
  readonly email: string | null;
  /** From when on links that set a password are mailed to it; null: always. */
  readonly linksFrom: Date | null;
  readonly language: LanguageCode;
  readonly names: readonly string[];
}

export const createAccountService = ({ db, passwords, languages, settings }: Parts) => {
  return {
    /** Undefined when the id is unknown, which no answer may reveal. */
    find: (personalId: string): Promise<UserInfo | undefined> => store.findUserInfo(db, personalId),

    /** Where to write to about a password that is kept here; undefined for unknown ids, and for `managed` and disabled clients. */
    async findContact(personalId: string): Promise<Contact | undefined> {
      const contact = await store.findContact(db, personalId);
      if (contact === undefined || contact.managed) return undefined;
      const { email, emailChangedAt, language, firstName, lastName } = contact;
      return { email, linksFrom: linksFrom(emailChangedAt, settings), language, names: [firstName, lastName] };
    },

    async getAccount(personalId: string): Promise<AccountInfo> {
      const [account, history] = await Promise.all([store.findAccount(db, personalId), passwords?.signInHistory(personalId)]);
      if (account === undefined) throw new PortalError('ACCESS_DENIED');
      const { previousSignInAt, ...known } = account;
      // A managed client never signs in here, so failures here are other people's tries of the id.
      const lastFailureAt = known.managed ? undefined : history?.lastFailureAt;
      return {
        ...known,
        previousSuccessfulLoginDate: previousSignInAt?.getTime() ?? null,
        lastFailureLoginDate: lastFailureAt?.getTime() ?? null,
      };
    },

    /** Throws VALIDATION_ERROR by the field that is missing: an `email` or a `phone` to reach the client at. */
    async setupChannel(personalId: string, channel: ChannelId): Promise<void> {
      const isSet = await store.setPreferredChannel(db, { personalId, channel });
      if (!isSet) throw invalidField(channel === 'EMAIL' ? 'email' : 'phone', 'there is none to write to');
    },

    /** Throws VALIDATION_ERROR for a language that is not spoken. */
    async setupLanguage(personalId: string, language: LanguageCode): Promise<void> {
      if (!languages.includes(language)) throw invalidField('language', `must be one of ${languages.join(', ')}`);
      await store.setLanguage(db, personalId, language);
    },

    async getSelf(personalId: string): Promise<UserInfo> {
      const known = await store.findUserInfo(db, personalId);
      if (known === undefined) throw new PortalError('ACCESS_DENIED');
      // One that the installation took back is no language to show anything in.
      const client = { ...known, language: languages.includes(known.language) ? known.language : (languages[0] ?? 'PL') };
      const keeper = client.managed ? findPasswordKeeper(settings.identityServices, personalId) : undefined;
      return keeper === undefined ? client : { ...client, passwordService: { name: keeper.name, url: keeper.passwordUrl } };
    },

    /**
     * A person signed in at an outside service, in this language, which mail follows if the record is `managed` as expected and it is not the
     * default one (that is offered first, so it need not be a choice). In one statement, prepared in the pool's connections. Undefined when the
     * id is unknown or the client is disabled.
     */
    welcome: (
      personalId: string,
      { language, managed }: { readonly language: LanguageCode; readonly managed: boolean },
      through: Pool,
    ): Promise<{ readonly personalId: string; readonly managed: boolean } | undefined> =>
      store.welcome(through, personalId, { language: languages.indexOf(language) > 0 ? language : null, managed }),

    /** Whether all these customer numbers belong to clients; names the ones that do not. */
    findUnknownCifs: (cifs: readonly string[]): Promise<string[]> => store.findUnknownCifs(db, cifs),
  };
};

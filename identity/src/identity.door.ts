import type { Kysely } from 'kysely';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { createAccountService, type IdentityAccounts } from './accounts/accounts.ts';
import { createPasswords, standardPasswordCost } from './accounts/passwords.ts';
import { ownTables } from './database/tables.ts';
import { createHandle, type Handle } from './handle.ts';
import { createInteraction } from './interaction.ts';
import { createPages } from './pages/pages.ts';
import { chooseLanguage } from './pages/texts.ts';
import type { Clock, IdentityLog, IdentitySettings } from './parts.ts';
import { sweepPayloads } from './provider/adapter.ts';
import { createProvider } from './provider/provider.ts';
import { issuerOf, portalClient, type RelyingParty } from './provider/relying-party.ts';
import { loadSecrets } from './provider/secrets.ts';

export type { IdentityAccounts } from './accounts/accounts.ts';
export { migrateIdentity } from './database/migrate.ts';
export type { IdentitySettings } from './parts.ts';
export type { RelyingParty } from './provider/relying-party.ts';

export interface Identity {
  /** Answers a request whose path begins with `/identity/`. The body must not have been read. */
  readonly handle: Handle;
  readonly accounts: IdentityAccounts;
  /** How the portal introduces itself here. */
  readonly relyingParty: RelyingParty;
  /** Ends a session of the provider by the `sid` of an ID token; an unknown one is no error. */
  endSession(sid: string): Promise<void>;
  /** Removes expired state; to be called now and then. */
  sweep(): Promise<void>;
}

/** An OpenID provider with local accounts, in the schema `identity` of this database (`migrateIdentity` comes first). */
export const createIdentity = async <Schema>({
  db: anyDb,
  settings,
  clock,
  log,
}: {
  db: Kysely<Schema>;
  settings: IdentitySettings;
  clock: Clock;
  log: IdentityLog;
}): Promise<Identity> => {
  const { publicUrl, organisationName } = settings;
  const db = ownTables(anyDb);
  const client = portalClient(publicUrl);
  const passwords = await createPasswords(settings.passwordCost ?? standardPasswordCost);
  const accounts = createAccountService({ db, passwords, clock });
  const secrets = await loadSecrets({ db, clock });
  const pages = createPages({ organisationName, https: publicUrl.protocol === 'https:', signInUrl: client.signInUrl });
  const renderError = (context: KoaContextWithOIDC): void => {
    const language = chooseLanguage(new URLSearchParams(context.querystring).get('ui_locales'));
    const isExpired = context.oidc.route === 'resume';
    context.type = 'html';
    context.body = pages.notice(language, isExpired ? 'expired' : 'failed');
  };
  const provider = createProvider({
    db,
    accounts,
    secrets,
    publicUrl,
    clock,
    log,
    renderError,
    notFoundPage: pages.notice('pl', 'notFound'),
  });
  const interaction = createInteraction({ provider, accounts, pages, origin: publicUrl.origin, log });
  return {
    handle: createHandle({ provider, interaction, pages, log }),
    accounts: { create: accounts.create, exists: accounts.exists, disable: accounts.disable, remove: accounts.remove },
    relyingParty: { issuer: issuerOf(publicUrl), clientId: client.id, clientSecret: secrets.clientSecret },
    async endSession(sid) {
      const session = await provider.Session.findByUid(sid);
      const grantId = session?.grantIdFor(client.id);
      await session?.destroy();
      if (grantId !== undefined) await (await provider.Grant.find(grantId))?.destroy();
    },
    sweep: () => sweepPayloads({ db, clock }),
  };
};

import type { Kysely } from 'kysely';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { type AccountStore, createAccountStore } from './accounts/accounts.ts';
import { createActivationCodes } from './accounts/activation-codes.ts';
import { createDevices } from './accounts/devices.ts';
import { createInvitations, type Invitations } from './accounts/invitations.ts';
import { createLinkLetters } from './accounts/link-letter.ts';
import { createPasswordChange, type PasswordChange } from './accounts/password-change.ts';
import { createPasswordLetters, type PasswordLetters } from './accounts/password-letters.ts';
import { createPasswordRules } from './accounts/password-rules.ts';
import { sweepLinks } from './accounts/password-store.ts';
import { createPasswords, standardPasswordCost } from './accounts/passwords.ts';
import { createSignInCheck, type SignInCheck } from './accounts/sign-in.ts';
import { createStatements, type StatementPool, type Statements } from './database/statements.ts';
import { ownTables } from './database/tables.ts';
import { createDeviceCookie } from './device-cookie.ts';
import { createHandle, type Handle } from './handle.ts';
import { createLanguageCookie } from './language-cookie.ts';
import { createInteraction } from './interaction.ts';
import { createPages, type Pages } from './pages/pages.ts';
import type { Brand, Catalogues, Clock, IdentityLog, IdentityPost, IdentitySettings, People } from './parts.ts';
import { createPasswordPages } from './password-pages.ts';
import { createRowAdapter, revokeCodes, sweepPayloads } from './provider/adapter.ts';
import { cookieNames } from './provider/cookie-names.ts';
import { createInteractions } from './provider/interactions.ts';
import type { LoadProvider } from './provider/provider.ts';
import { issuerOf, portalClient, type RelyingParty } from './provider/relying-party.ts';
import { createAdmissionControl } from './provider/admission.ts';
import { loadSecrets } from './provider/secrets.ts';
import { createThrottle } from './throttle/throttle.ts';

export { removeAccounts } from './accounts/accounts.ts';
export { identityMigrations } from './database/migrate.ts';
export type { IdentitySettings } from './parts.ts';
export type { RelyingParty } from './provider/relying-party.ts';

/** What the portal's own rooms may do with local accounts. Signing in is not part of it: that goes over OpenID Connect only. */
export interface IdentityAccounts
  extends
    Pick<AccountStore, 'create' | 'hashFirstPasswords' | 'createHashed' | 'exists' | 'disable' | 'enable' | 'remove'>,
    Pick<PasswordChange, 'changePassword'>,
    Pick<PasswordLetters, 'requestReset'>,
    Invitations,
    Pick<SignInCheck, 'signInHistory'> {}

/** The embedded identity service as the portal uses it: its handler below `/identity`, and the local accounts. */
export interface Identity {
  /** Answers a request whose path begins with `/identity/`. The body must not have been read. */
  readonly handle: Handle;
  readonly accounts: IdentityAccounts;
  /** How the portal introduces itself here. */
  readonly relyingParty: RelyingParty;
  /** Ends what began with a sign-in here, by the `sid` of its ID token; an unknown one is no error. */
  endSession(sid: string): Promise<void>;
  /** Removes expired state; to be called now and then. */
  sweep(): Promise<void>;
  /** Resolves when all work is done that goes on after its answer: mails to people who forgot their password. */
  settled(): Promise<void>;
}

interface Parts<Schema> {
  readonly db: Kysely<Schema>;
  /** Of the same connections. */
  readonly pool: StatementPool;
  readonly settings: IdentitySettings;
  readonly clock: Clock;
  readonly log: IdentityLog;
  /** Whether an error means that the database cannot be used at the moment: answered as 503 then. */
  readonly isUnavailable?: (error: unknown) => boolean;
  readonly mail: IdentityPost<Schema>;
  readonly people: People;
  /** The sentences of the pages, by the keys of the product's catalogues. Read once, at the start. */
  readonly texts: Catalogues;
  /** Left out: the product's own. */
  readonly brand?: Brand;
}

type LocalParts<Schema> = Omit<Parts<Schema>, 'pool' | 'isUnavailable' | 'texts' | 'brand'> & { readonly statements: Statements };

const createLocalAccounts = <Schema>({ db: anyDb, statements, settings, clock, log, mail, people }: LocalParts<Schema>) => {
  const db = ownTables(anyDb);
  const isCodeNeeded = settings.activationSecondFact === 'code';
  const passwords = createPasswords(settings.passwordCost ?? standardPasswordCost);
  const throttle = createThrottle({ db, statements, clock });
  const devices = createDevices({ db, clock });
  const codes = createActivationCodes();
  const linkLetters = createLinkLetters(settings);
  const letters = createPasswordLetters({ db: anyDb, mail, people, throttle, devices, letters: linkLetters, isCodeNeeded, clock, log });
  const change = createPasswordChange({
    db,
    passwords,
    rules: createPasswordRules({ maxLength: settings.passwordMaxLength, organisationName: settings.organisationName }),
    throttle,
    letters,
    codes,
    isCodeNeeded,
    people,
    history: settings.passwordHistory,
    clock,
    log,
  });
  const signInCheck = createSignInCheck({ db, statements, passwords, throttle, devices, clock, log });
  return {
    store: createAccountStore({ db, passwords, clock }),
    invitations: createInvitations({ letters: linkLetters, codes: isCodeNeeded ? codes : undefined, clock }),
    letters,
    change,
    signInCheck,
    async sweep() {
      await throttle.sweep();
      await devices.sweep();
      await signInCheck.sweepRecords();
      await sweepLinks(db, clock.now());
    },
  };
};

const accountsOf = ({ store, change, letters, invitations, signInCheck }: ReturnType<typeof createLocalAccounts>): IdentityAccounts => ({
  create: store.create,
  hashFirstPasswords: store.hashFirstPasswords,
  createHashed: store.createHashed,
  exists: store.exists,
  disable: store.disable,
  enable: store.enable,
  remove: store.remove,
  changePassword: (personalId, passwords) => change.changePassword(personalId, passwords),
  requestReset: (personalId) => letters.requestReset(personalId),
  invite: (newcomers, options) => invitations.invite(newcomers, options),
  signInHistory: (personalId) => signInCheck.signInHistory(personalId),
});

/** The calm page for errors before a return address is known. */
const errorRenderer =
  (pages: Pages) =>
  (context: KoaContextWithOIDC): void => {
    const language = pages.languages.choose(new URLSearchParams(context.querystring).get('ui_locales'));
    const isExpired = context.oidc.route === 'resume';
    context.type = 'html';
    context.body = pages.notice(language, isExpired ? 'expired' : 'failed');
  };

/** An OpenID provider with local accounts, in the schema `identity` of this database (`identityMigrations` come first). */
export const createIdentity = async <Schema>({
  db: anyDb,
  pool,
  settings,
  clock,
  log,
  isUnavailable = () => false,
  mail,
  people,
  texts,
  brand,
}: Parts<Schema>): Promise<Identity> => {
  const { publicUrl, organisationName, passwordMaxLength } = settings;
  const { origin } = publicUrl;
  const https = publicUrl.protocol === 'https:';
  const db = ownTables(anyDb);
  const statements = createStatements(pool);
  const client = portalClient(publicUrl);
  const local = createLocalAccounts({ db: anyDb, statements, settings, clock, log, mail, people });
  const { letters, change, signInCheck } = local;
  const secrets = await loadSecrets({ db, clock });
  const pages = createPages({ texts, brand, organisationName, https, signInUrl: client.signInUrl, passwordMaxLength });
  const notFoundPage = pages.notice('pl', 'notFound');
  const renderError = errorRenderer(pages);
  const cookies = cookieNames({ https });
  const interactions = createInteractions({ rows: createRowAdapter({ statements, clock }, 'Interaction'), clock });
  const keeping = { statements, interactions, cookies, secrets, languages: pages.languages };
  const load = async (): ReturnType<LoadProvider> => {
    const { createProvider } = await import('./provider/provider.ts');
    const provider = createProvider({ ...keeping, publicUrl, clock, log, isUnavailable, renderError, notFoundPage });
    return { provider, ask: provider.callback() };
  };
  let loaded: ReturnType<LoadProvider> | undefined;
  // Its code takes as long to read as that of half the portal, and is not needed before a person signs in.
  const loadProvider: LoadProvider = () => (loaded ??= load());
  const deviceCookie = createDeviceCookie({ https });
  const interaction = createInteraction({ loadProvider, interactions, cookies, signInCheck, deviceCookie, pages, origin });
  const passwordPages = createPasswordPages({ letters, change, deviceCookie, pages, origin });
  return {
    handle: createHandle({
      loadProvider,
      languageCookie: createLanguageCookie({ https }),
      interaction,
      passwordPages,
      pages,
      admission: createAdmissionControl({ statements, clock, maxCount: settings.maxWaitingSignIns }),
      isUnavailable,
      log,
    }),
    accounts: accountsOf(local),
    relyingParty: { issuer: issuerOf(publicUrl), clientId: client.id, clientSecret: secrets.clientSecret },
    // The provider keeps no session here (provider.ts); what may be left are codes that were not exchanged yet.
    endSession: (sid) => revokeCodes(statements, sid),
    async sweep() {
      await sweepPayloads({ db, clock });
      await local.sweep();
    },
    settled: () => letters.settled(),
  };
};

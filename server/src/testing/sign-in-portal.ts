import { createIdentity, type Identity } from '@pergamin/identity';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { createGuards } from '#app/guards.ts';
import { embeddedService, mountIdentity } from '#app/mount-identity.ts';
import { createAccounts } from '#features/accounts/accounts.door.ts';
import { createNotifications } from '#features/notifications/notifications.door.ts';
import { createSignIn, type SignIn, type SignInService } from '#features/sign-in/sign-in.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { createCallLimits } from '#platform/http/call-limit.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { createHttpServer } from '#platform/http/http-server.ts';
import { mountRoutes } from '#platform/http/mount-routes.ts';
import type { Route } from '#platform/http/route.ts';
import { type Log, silentLog } from '#platform/log/log.ts';
import type { Mail, MailMessage } from '#platform/mail/mail.ts';
import { createMetrics, type Metrics } from '#platform/metrics/metrics.ts';
import { readSettings } from '#platform/settings/settings.ts';
import { createTestBrowser, type TestBrowser } from './sign-in-as.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const testPassword = 'Correct-horse-7';

const operator: PublisherCaller = { keyId: randomUUID(), name: 'tests', scopes: [], demo: false };

export interface SignInPortal extends AsyncDisposable {
  readonly server: FastifyInstance;
  readonly database: TestDatabase;
  readonly identity: Identity;
  readonly signIn: SignIn;
  readonly host: string;
  readonly metrics: Metrics;
  /** Runs with the machine's clock; `advance` moves it forward. */
  readonly clock: Clock & { advance(ms: number): void };
  /** What was mailed, the last one last. */
  readonly mails: readonly MailMessage[];
  newBrowser(address?: string): TestBrowser;
  /** A client with a local password. */
  addPerson(personalId: string, password?: string, email?: string): Promise<void>;
  /** A client who is mailed a link that sets the first one. */
  addPersonWithoutPassword(personalId: string, email: string): Promise<void>;
  /** A client who signs in at an outside service. */
  addManagedPerson(personalId: string): Promise<void>;
  /** As the organisation does. */
  disable(personalId: string): Promise<void>;
}

interface Options {
  readonly publicUrl?: string;
  readonly log?: Log;
  /** Services beside the embedded one; tried after it. */
  readonly services?: readonly SignInService[];
  /** The setting of that name. */
  readonly identityServices?: string;
  /** Cheap unless the time of a check is what is tested. */
  readonly passwordCost?: { readonly memoryKiB: number; readonly passes: number };
  /** Sign-ins that may wait for a password at once. */
  readonly maxWaitingSignIns?: number;
  readonly trustedProxies?: readonly string[];
  /** Calls beside those of sign-in and accounts. */
  readonly routes?: readonly Route[];
}

/** Only the rooms sign-in, accounts and identity, really mounted, on a database of their own: for what the whole portal need not be started. */
export const startSignInPortal = async ({
  publicUrl = 'http://localhost:8080',
  log = silentLog(),
  services = [],
  identityServices = '[]',
  trustedProxies = [],
  routes = [],
  passwordCost = { memoryKiB: 1_024, passes: 1 },
  maxWaitingSignIns = 1_000,
}: Options = {}): Promise<SignInPortal> => {
  const database = await createTestDatabase();
  const { db } = database;
  const settings = readSettings({ PUBLIC_URL: publicUrl, LOG_LEVEL: 'silent', IDENTITY_SERVICES: identityServices });
  let aheadMs = 0;
  const clock = {
    now: () => new Date(Date.now() + aheadMs),
    advance: (ms: number) => {
      aheadMs += ms;
    },
  };
  const metrics = createMetrics();
  const mails: MailMessage[] = [];
  const mail: Mail = {
    async send(message) {
      mails.push(message);
    },
    async sendAll(messages) {
      mails.push(...messages);
    },
  };
  const identity = await createIdentity({
    db,
    pool: database.pool,
    settings: { ...settings, passwordCost, maxWaitingSignIns },
    clock,
    log,
    mail,
    people: {
      find: (personalId) => accounts.findContact(personalId),
      endSessions: (personalId) => signIn.endSessionsOf(personalId, { reason: 'PASSWORD_CHANGED' }),
    },
    texts: (language) => JSON.parse(readFileSync(new URL(`../../../languages/${language}.json`, import.meta.url), 'utf8')),
  });
  const server = await createHttpServer({ publicUrl: settings.publicUrl, log, trustedProxies });
  const accounts = createAccounts({
    db,
    passwords: identity.accounts,
    endSessions: (personalId, options) => signIn.endSessionsOf(personalId, options),
    post: {
      mail,
      notifications: createNotifications({
        db,
        notices: { tellOfPublication: async () => {}, tellOfWithdrawal: async () => {} },
        clock,
        log,
      }),
      languages: ['PL', 'EN'],
    },
    settings,
    running: { clock, log },
  });
  const embedded = embeddedService(identity, settings.publicUrl);
  const signIn = createSignIn({ database, settings, metrics, clock, log, accounts, services: [embedded, ...services] });
  const limits = createCallLimits({ clock, log });
  const guards = createGuards({
    publicUrl: settings.publicUrl,
    limits,
    authenticate: signIn.authenticate,
    publishers: {
      isProven: () => false,
      authenticate: () => Promise.reject(new Error('no publisher here')),
      requireScope() {},
    },
    requireStatute: async () => {},
  });
  mountRoutes(server, [...accounts.routes, ...signIn.routes, ...routes], guards);
  await mountIdentity(server, identity, limits);
  await server.ready();
  const { host } = settings.publicUrl;
  return {
    server,
    database,
    identity,
    signIn,
    host,
    metrics,
    clock,
    mails,
    newBrowser: (address) => createTestBrowser(server, host, address),
    async addPerson(personalId, password = testPassword, email) {
      const names = { firstName: 'Anna', lastName: 'Nowak' };
      await accounts.upsert([{ personalId, cif: `cif-${personalId}`, ...names, email, initialPassword: password }]);
    },
    async addPersonWithoutPassword(personalId, email) {
      await accounts.upsert([{ personalId, cif: `cif-${personalId}`, firstName: 'Anna', lastName: 'Nowak', email }]);
    },
    async addManagedPerson(personalId) {
      await accounts.upsert([{ personalId, cif: `cif-${personalId}`, firstName: 'Jan', lastName: 'Kowalski', managed: true }]);
    },
    async disable(personalId) {
      await accounts.changeState({ client: personalId, by: 'personalId' }, { state: 'DISABLED', reason: 'test' }, operator);
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await database[Symbol.asyncDispose]();
    },
  };
};

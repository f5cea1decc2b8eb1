import type { Call } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock/clock.ts';
import type { OpenDatabase } from '#platform/database/database.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { IdentityServiceSetting } from '#platform/settings/identity-services.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { createServiceClient, type SignInService } from './identity-service.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { createServiceMessages } from './service-messages.ts';
import { createServiceTransport } from './service-transport.ts';
import type { EndReason } from './session.store.ts';
import { createSessionMemory } from './session-memory.ts';
import { createSessions } from './sessions.ts';
import { createSignInCookies } from './sign-in.cookies.ts';
import { createTransactionLimit } from './sign-in.limits.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createSignInFlow, type SignInAccounts } from './sign-in.service.ts';
import { deleteExpired } from './sign-in.store.ts';

export type { SignInService } from './identity-service.ts';

export interface SignIn {
  readonly routes: readonly Route[];
  /**
   * Who makes a protected call: at most one query. Throws ACCESS_DENIED unless token and cookie belong together and to a living session; a token that
   * comes without its own cookie ends the session. Calls of the person's own doing slide the idle end and are told the new one in a header.
   */
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply, call: Pick<Call, 'keepsSessionAlive'>) => Promise<ClientCaller>;
  /**
   * Ends all sessions of a person at once, but the one that is excepted, here and at the embedded identity service: after a change of
   * password, or when the account is closed.
   */
  readonly endSessionsOf: (personalId: string, options: { except?: string; reason: EndReason }) => Promise<void>;
  /** `sign-in:sweep` removes what has expired; to be run every few minutes. */
  readonly jobs: JobHandlers;
}

interface Parts {
  /** The pool too: statements of every sign-in are prepared once per connection. Other processes are heard when sessions end there. */
  readonly database: Pick<OpenDatabase, 'db' | 'pool' | 'listen'>;
  readonly settings: Pick<Settings, 'publicUrl' | 'sessionIdleMs' | 'sessionAbsoluteMs' | 'identityServices'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: SignInAccounts;
  /** Beside those of the settings, which are tried first; in the order in which an id is tried against their patterns. */
  readonly services: readonly SignInService[];
}

/** Ended sessions are kept this long, for whoever has to find out what happened. */
const keepSessionsMs = 30 * 24 * 3_600_000;

export const createSignIn = ({ database, settings, clock, log, accounts, services }: Parts): SignIn => {
  const { db, pool, listen } = database;
  const { publicUrl } = settings;
  const cookies = createSignInCookies(publicUrl);
  const all = [...settings.identityServices.map(outsideService), ...services];
  const clients = new Map(all.map((service) => [service.id, createServiceClient(service, { publicUrl, clock })]));
  const sessions = createSessions({
    db,
    pool,
    memory: createSessionMemory({ pool, listen, clock }),
    settings,
    running: { clock, log },
    cookies,
  });
  const codes = createOneTimeCodes({ pool, clock });
  const flow = createSignInFlow({ pool, accounts, clients, codes, requireCapacity: createTransactionLimit({ pool, clock }), clock, log });
  const messages = createServiceMessages({ db, accounts, codes, sessions, clients, running: { clock, log } });
  return {
    routes: signInRoutes({ flow, messages, sessions, cookies, clients, settings }),
    authenticate: (request, reply, call) => sessions.authenticate(request, reply, call),
    async endSessionsOf(personalId, options) {
      for (const left of await sessions.endOfPerson(personalId, options)) await flow.endAtService(left);
    },
    jobs: {
      async 'sign-in:sweep'() {
        const now = clock.now();
        await deleteExpired(db, { now, sessionsBefore: new Date(now.getTime() - keepSessionsMs) });
      },
    },
  };
};

const outsideService = (setting: IdentityServiceSetting): SignInService => ({
  ...setting,
  pattern: setting.personalIds,
  transport: createServiceTransport(setting),
});

import type { Call } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock/clock.ts';
import type { OpenDatabase } from '#platform/database/database.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { createServiceClient, type SignInService } from './identity-service.ts';
import { createSessions } from './sessions.ts';
import { createSignInCookies } from './sign-in.cookies.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createSignInFlow, type SignInAccounts } from './sign-in.service.ts';
import { deleteExpired } from './sign-in.store.ts';

export type { SignInService } from './identity-service.ts';

export interface SignIn {
  readonly routes: readonly Route[];
  /**
   * Who makes a protected call: one query. Throws ACCESS_DENIED unless token and cookie belong together and to a living session; a token that
   * comes without its own cookie ends the session. Calls of the person's own doing slide the idle end and are told the new one in a header.
   */
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply, call: Pick<Call, 'keepsSessionAlive'>) => Promise<ClientCaller>;
  /** `sign-in:sweep` removes what has expired; to be run every few minutes. */
  readonly jobs: JobHandlers;
}

interface Parts {
  /** The pool too: the one query of every protected call is prepared once per connection. */
  readonly database: Pick<OpenDatabase, 'db' | 'pool'>;
  readonly settings: Pick<Settings, 'publicUrl' | 'sessionIdleMs' | 'sessionAbsoluteMs'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly accounts: SignInAccounts;
  /** In the order in which an id is tried against their patterns. */
  readonly services: readonly SignInService[];
}

/** Ended sessions are kept this long, for whoever has to find out what happened. */
const keepSessionsMs = 30 * 24 * 3_600_000;

export const createSignIn = ({ database, settings, clock, log, accounts, services }: Parts): SignIn => {
  const { db, pool } = database;
  const { publicUrl } = settings;
  const cookies = createSignInCookies(publicUrl);
  const clients = new Map(services.map((service) => [service.id, createServiceClient(service, publicUrl)]));
  const sessions = createSessions({ db, pool, settings, clock, log, cookies });
  const flow = createSignInFlow({ db, accounts, clients, clock, log });
  return {
    routes: signInRoutes({ flow, sessions, cookies, clients, publicUrl }),
    authenticate: (request, reply, call) => sessions.authenticate(request, reply, call),
    jobs: {
      async 'sign-in:sweep'() {
        const now = clock.now();
        await deleteExpired(db, { now, sessionsBefore: new Date(now.getTime() - keepSessionsMs) });
      },
    },
  };
};

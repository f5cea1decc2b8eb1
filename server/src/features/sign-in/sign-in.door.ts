import type { Call } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenDatabase } from '#platform/database/database.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { IdentityServiceSetting } from '#platform/settings/identity-services.ts';
import { createServiceClient, type SignInService } from './identity-service.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import type { SignInParts } from './parts.ts';
import { createServiceMessages } from './service-messages.ts';
import { createServiceTransport } from './service-transport.ts';
import type { EndReason } from './session.store.ts';
import { createSessionMemory } from './session-memory.ts';
import { createSessions } from './sessions.ts';
import { createSignInCookies } from './sign-in.cookies.ts';
import { createTransactionLimit } from './sign-in.limits.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createSignInFlow } from './sign-in.service.ts';
import { deleteExpired } from './sign-in.store.ts';

export type { SignInService } from './identity-service.ts';
export { createServiceTransport } from './service-transport.ts';

export type SignIn = ReturnType<typeof createSignIn>;

interface Given extends Pick<SignInParts, 'settings' | 'accounts' | 'metrics' | 'clock' | 'log'> {
  readonly database: Pick<OpenDatabase, 'db' | 'pool' | 'listen'>;
  /** Beside those of the settings, which are tried first; in the order in which an id is tried against their patterns. */
  readonly services: readonly SignInService[];
}

/** Ended sessions are kept this long for investigations. */
const keepSessionsMs = 30 * 24 * 3_600_000;

/** Sign-in over OpenID Connect with each configured service, and the portal’s own sessions (B). */
export const createSignIn = ({ database, services, ...given }: Given) => {
  const { settings, clock, log } = given;
  const { publicUrl } = settings;
  const all = [...settings.identityServices.map(outsideService), ...services];
  const clients = new Map(all.map((service) => [service.id, createServiceClient(service, { publicUrl, clock, log })]));
  given.metrics.expectSignIns([...clients.keys()]);
  const parts: SignInParts = { ...given, ...database, clients, cookies: createSignInCookies(publicUrl) };
  const sessions = createSessions({ ...parts, memory: createSessionMemory(parts) });
  const codes = createOneTimeCodes(parts);
  const flow = createSignInFlow({ ...parts, codes, requireCapacity: createTransactionLimit(parts) });
  const messages = createServiceMessages({ ...parts, codes, sessions });
  return {
    routes: signInRoutes({ ...parts, flow, messages, sessions }),
    /**
     * Who makes a protected call: at most one query. Throws ACCESS_DENIED unless token and cookie belong together and to a living session; a token that
     * comes without its own cookie ends the session. Calls of the person's own doing slide the idle end and are told the new one in a header.
     */
    authenticate: (request: FastifyRequest, reply: FastifyReply, call: Pick<Call, 'keepsSessionAlive'>): Promise<ClientCaller> =>
      sessions.authenticate(request, reply, call),
    /**
     * Ends all sessions of a person at once, but the one that is excepted, here and at the embedded identity service: after a change of
     * password, or when the account is disabled.
     */
    async endSessionsOf(personalId: string, options: { except?: string; reason: EndReason }): Promise<void> {
      for (const left of await sessions.endOfPerson(personalId, options)) await flow.endAtService(left);
    },
    /** `sign-in:sweep` removes what has expired; to be run every few minutes. */
    jobs: {
      async 'sign-in:sweep'() {
        const now = clock.now();
        await deleteExpired(parts.db, { now, sessionsBefore: new Date(now.getTime() - keepSessionsMs) });
      },
    },
  };
};

const outsideService = (setting: IdentityServiceSetting): SignInService => ({
  ...setting,
  pattern: setting.personalIds,
  transport: createServiceTransport(setting),
});

import { signInLimits, type LanguageCode } from '@pergamin/contract';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { LogoutUrl, ServiceClient } from './identity-service.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { LeftBehind } from './sessions.ts';
import type { SignInParts } from './parts.ts';
import { createReturn } from './returning.ts';
import { findServiceOf } from './sign-in.rules.ts';
import * as store from './sign-in.store.ts';

interface Parts extends Pick<SignInParts, 'pool' | 'accounts' | 'clients' | 'clock' | 'log'> {
  readonly codes: OneTimeCodes;
  /** Throws CALL_NOT_PERMITTED when too many sign-ins are under way. */
  readonly requireCapacity: () => Promise<void>;
}

interface Start {
  readonly client: ServiceClient;
  /** The personal id that was typed; null when the sign-in starts at a service. */
  readonly hint: string | null;
  readonly challenge: string;
  readonly language: LanguageCode;
}

interface Begun {
  readonly location: string;
  readonly browser: string;
}

export type SignInFlow = ReturnType<typeof createSignInFlow>;

export const createSignInFlow = (parts: Parts) => {
  const { clients, log } = parts;
  const services = [...clients.values()].map(({ service }) => service);
  return {
    /**
     * By the form of the id alone: known and unknown ones get the same answer (B1). Throws RESOURCE_NOT_FOUND for one that no service has.
     */
    getClientFor(personalId: string): ServiceClient {
      const client = clients.get(findServiceOf(services, personalId)?.id ?? '');
      if (client === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      return client;
    },

    /** Steps 3 and 4: where to send the browser, and the secret that binds this sign-in to it. Undefined when the service cannot be reached.
     * Throws CALL_NOT_PERMITTED when too many are under way. */
    begin: (start: Start): Promise<Begun | undefined> => begin(parts, start),

    returnFrom: createReturn({ ...parts, services }),

    /** Ends the session that was left at an identity service, as far as that can be done without the person. */
    async endAtService({ serviceId, serviceSession }: LeftBehind): Promise<void> {
      if (serviceSession === null) return;
      try {
        await clients.get(serviceId)?.service.endSession?.(serviceSession);
      } catch (error) {
        // The portal's own session has ended already, which is what counts here.
        log.error({ err: error, service: serviceId }, 'the session at the identity service could not be ended');
      }
    },

    /** Where the person ends it; undefined when nothing is left to end. */
    async findLogoutUrl({ serviceId, idToken }: LeftBehind): Promise<LogoutUrl | undefined> {
      if (idToken === null) return undefined;
      return clients
        .get(serviceId)
        ?.findLogoutUrl(idToken)
        .catch((error: unknown) => unreachable(parts, serviceId, error));
    },
  };
};

const unreachable = ({ log }: Parts, service: string, error: unknown): undefined => {
  log.error({ err: error, service }, 'identity service cannot be reached');
};

const begin = async (parts: Parts, { client, hint, challenge, language }: Start): Promise<Begun | undefined> => {
  const { pool, requireCapacity, clock } = parts;
  await requireCapacity();
  const attempt = { state: randomToken(), nonce: randomToken(), verifier: randomToken() };
  const browser = randomToken();
  const location = await client
    .authorizationUrl(attempt, { hint, language })
    .catch((error: unknown) => unreachable(parts, client.service.id, error));
  if (location === undefined) return undefined;
  await store.insertTransaction(pool, {
    id_hash: sha256(attempt.state),
    service_id: client.service.id,
    challenge,
    hint,
    verifier: attempt.verifier,
    nonce: attempt.nonce,
    browser_hash: sha256(browser),
    language,
    expires_at: new Date(clock.now().getTime() + signInLimits.transactionLifetimeMs),
  });
  return { location, browser };
};

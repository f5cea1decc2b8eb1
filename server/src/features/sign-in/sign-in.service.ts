import { signInLimits, type LanguageCode } from '@pergamin/contract';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import { PortalError } from '#platform/http/errors.ts';
import { createRepeatedLines, type RepeatedLines } from '#platform/log/repeated-lines.ts';
import type { LogoutUrl, ServiceClient } from './identity-service.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { LeftBehind } from './sessions.ts';
import type { SignInParts } from './parts.ts';
import { createReturn } from './returning.ts';
import { findMisfit } from './service-refusal.ts';
import { findServiceOf } from './sign-in.rules.ts';
import * as store from './sign-in.store.ts';
import { isUnreachable } from './watched-transport.ts';

interface Parts extends Pick<SignInParts, 'pool' | 'accounts' | 'clients' | 'metrics' | 'clock' | 'log'> {
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
  const unusable = createUnusable(createRepeatedLines(parts));
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
    begin: (start: Start): Promise<Begun | undefined> => begin({ ...parts, unusable }, start),

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
        .catch((error: unknown) => unusable(serviceId, error));
    },
  };
};

/** One that is away has an outage of its own; one whose answer is wrong is told once a minute. */
const createUnusable =
  (lines: RepeatedLines) =>
  (service: string, error: unknown): undefined => {
    if (isUnreachable(error)) return undefined;
    const { what, detail } = findMisfit(error);
    lines.warn(`${service}: ${what}`, { service, misfit: what, reason: detail }, 'an identity service cannot be used');
    return undefined;
  };

const begin = async (
  parts: Parts & { unusable: ReturnType<typeof createUnusable> },
  { client, hint, challenge, language }: Start,
): Promise<Begun | undefined> => {
  const { pool, requireCapacity, clock } = parts;
  await requireCapacity();
  const attempt = { state: randomToken(), nonce: randomToken(), verifier: randomToken() };
  const browser = randomToken();
  const location = await client
    .authorizationUrl(attempt, { hint, language })
    .catch((error: unknown) => parts.unusable(client.service.id, error));
  if (location === undefined) {
    parts.metrics.countSignIn(client.service.id, 'unreachable');
    return undefined;
  }
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

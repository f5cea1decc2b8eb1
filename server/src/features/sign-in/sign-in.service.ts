import { signInLimits, type LanguageCode } from '@pergamin/contract';
import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import type { Pool } from 'pg';
import type { Clock } from '#platform/clock/clock.ts';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import type { Log } from '#platform/log/log.ts';
import { createRepeatedLines } from '#platform/log/repeated-lines.ts';
import type { LogoutUrl, ServiceClient } from './identity-service.ts';
import { isSameHash, type OneTimeCodes } from './one-time-codes.ts';
import type { LeftBehind } from './sessions.ts';
import { findServiceOf, hasRepeatedParameter, isManagedAt, isPersonOf, mayName } from './sign-in.rules.ts';
import * as store from './sign-in.store.ts';

/** What this room needs of the room accounts. */
export interface SignInAccounts {
  find(
    personalId: string,
  ): Promise<{ readonly personalId: string; readonly firstName: string; readonly lastName: string; readonly managed: boolean } | undefined>;
  welcome(
    personalId: string,
    arrival: { readonly language: LanguageCode; readonly managed: boolean },
    through: Pool,
  ): Promise<{ readonly personalId: string; readonly managed: boolean } | undefined>;
}

interface Parts {
  readonly pool: Pool;
  readonly accounts: SignInAccounts;
  readonly clients: ReadonlyMap<string, ServiceClient>;
  readonly codes: OneTimeCodes;
  /** Throws CALL_NOT_PERMITTED when too many sign-ins are under way. */
  readonly requireCapacity: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Start {
  readonly client: ServiceClient;
  /** The personal id that was typed; null when somebody starts at a service. */
  readonly hint: string | null;
  readonly challenge: string;
  readonly language: LanguageCode;
}

export interface SignInFlow {
  /** By the form of the id alone: known and unknown ones get the same answer (B1). */
  findClientFor(personalId: string): ServiceClient | undefined;
  /** Steps 3 and 4: where to send the browser, and the secret that binds this sign-in to it. Undefined when the service cannot be reached.
   * Throws CALL_NOT_PERMITTED when too many are under way. */
  begin(start: Start): Promise<{ location: string; browser: string } | undefined>;
  /** Steps 5 and 6: a one-time code for the browser's client, or undefined for everything that does not fit. */
  returnFrom(client: ServiceClient, parameters: URLSearchParams, browser: string | undefined): Promise<string | undefined>;
  /** Ends the session that was left at an identity service, as far as that can be done without the person. */
  endAtService(left: LeftBehind): Promise<void>;
  /** Where the person ends it; undefined when nothing is left to end. */
  findLogoutUrl(left: LeftBehind): Promise<LogoutUrl | undefined>;
}

/** Why a return was refused; for the log only, the person is told nothing but that it failed. */
class RefusedReturn extends Error {
  override readonly name = 'RefusedReturn';
}

export const createSignInFlow = ({ pool, accounts, clients, codes, requireCapacity, clock, log }: Parts): SignInFlow => {
  const lines = createRepeatedLines({ log, clock });
  const services = [...clients.values()].map(({ service }) => service);
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms);

  const takeAttempt = async (client: ServiceClient, parameters: URLSearchParams, browser: string | undefined) => {
    // Taken before anything is looked at: whatever is wrong with this return, there is no second try with the same state.
    const state = parameters.get('state') ?? '';
    const transaction = await store.takeTransaction(pool, sha256(state));
    if (transaction === undefined) throw new RefusedReturn('unknown or used state');
    if (transaction.expires_at <= clock.now()) throw new RefusedReturn('too late');
    if (hasRepeatedParameter(parameters)) throw new RefusedReturn('repeated parameter');
    if (transaction.service_id !== client.service.id) throw new RefusedReturn('another service');
    if (!isSameHash(transaction.browser_hash, browser)) throw new RefusedReturn('another browser');
    return { transaction, attempt: { state, nonce: transaction.nonce, verifier: transaction.verifier } };
  };

  const completeReturn = async (client: ServiceClient, parameters: URLSearchParams, browser: string | undefined): Promise<string> => {
    const { transaction, attempt } = await takeAttempt(client, parameters, browser);
    const signedIn = await client.complete(parameters, attempt);
    if (transaction.hint !== null && transaction.hint !== signedIn.personalId) throw new RefusedReturn('signed in as somebody else');
    if (!mayName(client.service, services, signedIn.personalId)) throw new RefusedReturn('a personal id of another service');
    const arrival = { language: transaction.language, managed: isManagedAt(client.service.id) };
    const account = await accounts.welcome(signedIn.personalId, arrival, pool);
    if (account === undefined) throw new RefusedReturn('no such client');
    if (!isPersonOf(account, client.service.id)) throw new RefusedReturn('a client of another service');
    return codes.issue(
      { ...signedIn, serviceId: client.service.id },
      { challenge: transaction.challenge, browserHash: transaction.browser_hash },
    );
  };

  return {
    findClientFor(personalId) {
      const named = findServiceOf(services, personalId);
      return named === undefined ? undefined : clients.get(named.id);
    },

    async begin({ client, hint, challenge, language }) {
      await requireCapacity();
      const attempt = { state: randomToken(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const browser = randomToken();
      let location: string;
      try {
        location = await client.authorizationUrl(attempt, { hint, language });
      } catch (error) {
        log.error({ err: error, service: client.service.id }, 'identity service cannot be reached');
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
        expires_at: inMs(signInLimits.transactionLifetimeMs),
      });
      return { location, browser };
    },

    async returnFrom(client, parameters, browser) {
      try {
        return await completeReturn(client, parameters, browser);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        // The error of a foreign service may carry what it sent; only its name and sentence are kept.
        const { name, message } = error instanceof Error ? error : { name: 'unknown', message: '' };
        const service = client.service.id;
        lines.warn(
          `${service}: ${error instanceof RefusedReturn ? message : name}`,
          { service, reason: `${name}: ${message}` },
          'sign-in refused',
        );
        return undefined;
      }
    },

    async endAtService({ serviceId, serviceSession }) {
      if (serviceSession === null) return;
      try {
        await clients.get(serviceId)?.service.endSession?.(serviceSession);
      } catch (error) {
        // The portal's own session has ended already, which is what counts here.
        log.error({ err: error, service: serviceId }, 'the session at the identity service could not be ended');
      }
    },

    async findLogoutUrl({ serviceId, idToken }) {
      if (idToken === null) return undefined;
      try {
        return await clients.get(serviceId)?.findLogoutUrl(idToken);
      } catch (error) {
        log.error({ err: error, service: serviceId }, 'identity service cannot be reached');
        return undefined;
      }
    },
  };
};

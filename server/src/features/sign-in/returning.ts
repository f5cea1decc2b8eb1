import { sha256 } from '#platform/crypto/secrets.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { createRepeatedLines } from '#platform/log/repeated-lines.ts';
import type { ServiceClient, SignInService } from './identity-service.ts';
import { isOneOf, type OneTimeCodes } from './one-time-codes.ts';
import type { SignInParts } from './parts.ts';
import { hasRepeatedParameter, isManagedAt, isPersonOf, mayName } from './sign-in.rules.ts';
import { findMisfit, saysLater, TokenRefusal } from './service-refusal.ts';
import { takeTransaction } from './sign-in.store.ts';
import { isUnreachable } from './watched-transport.ts';

interface Parts extends Pick<SignInParts, 'pool' | 'accounts' | 'metrics' | 'clock' | 'log'> {
  readonly services: readonly SignInService[];
  readonly codes: OneTimeCodes;
}

/** `unreachable`: the service is away, or says that it cannot work now. */
export type Return = { readonly code: string } | { readonly failed: 'refused' | 'unreachable' };

/** Steps 5 and 6: a one-time code for the browser's client, or that it failed for everything that does not fit. */
export type ReturnFrom = (client: ServiceClient, parameters: URLSearchParams, browser: readonly string[]) => Promise<Return>;

export const createReturn = (parts: Parts): ReturnFrom => {
  const lines = createRepeatedLines(parts);
  const { metrics } = parts;
  return async (client, parameters, browser) => {
    const service = client.service.id;
    try {
      const code = await completeReturn(parts, client, { parameters, browser });
      metrics.countSignIn(service, 'done');
      return { code };
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (isUnreachable(error)) {
        metrics.countSignIn(service, 'unreachable');
        return { failed: 'unreachable' };
      }
      metrics.countSignIn(service, 'refused');
      // The error of a foreign service may carry what it sent; only what does not fit is kept.
      const misfit = findMisfit(error);
      const person = error instanceof TokenRefusal ? error.person : undefined;
      const about = person === undefined ? {} : { person };
      lines.warn(
        `${service}: ${misfit.what} ${person ?? ''}`,
        { service, misfit: misfit.what, reason: misfit.detail, ...about },
        'sign-in refused',
      );
      return { failed: saysLater(misfit) ? 'unreachable' : 'refused' };
    }
  };
};

interface Returned {
  readonly parameters: URLSearchParams;
  /** The secrets of the browser's cookie. */
  readonly browser: readonly string[];
}

const completeReturn = async (parts: Parts, client: ServiceClient, returned: Returned): Promise<string> => {
  const { pool, accounts, services, codes } = parts;
  const { transaction, attempt } = await takeAttempt(parts, client, returned);
  const signedIn = await client.complete(returned.parameters, attempt);
  // From here on the service itself has named the person.
  const { personalId: person } = signedIn;
  if (transaction.hint !== null && transaction.hint !== person)
    throw new TokenRefusal('another person', { detail: `signed in as another person than ${transaction.hint}, who was typed`, person });
  if (!mayName(client.service, services, person))
    throw new TokenRefusal('personal id', { detail: 'a personal id of another service', person });
  const arrival = { language: transaction.language, managed: isManagedAt(client.service.id) };
  const account = await accounts.welcome(person, arrival, pool);
  if (account === undefined) throw new TokenRefusal('client', { detail: 'no such client, or a disabled one', person });
  if (!isPersonOf(account, client.service.id))
    throw new TokenRefusal('managed', {
      detail: 'a client of another service: the record does not say managed as this service needs it',
      person,
    });
  return codes.issue(
    { ...signedIn, serviceId: client.service.id },
    { challenge: transaction.challenge, browserHash: transaction.browser_hash },
  );
};

const takeAttempt = async ({ pool, clock }: Parts, client: ServiceClient, { parameters, browser }: Returned) => {
  // Taken before any check: a failed return leaves no second try with the same state.
  const state = parameters.get('state') ?? '';
  const transaction = await takeTransaction(pool, sha256(state));
  if (transaction === undefined) throw new TokenRefusal('unknown or used state');
  if (transaction.expires_at <= clock.now()) throw new TokenRefusal('too late');
  if (hasRepeatedParameter(parameters)) throw new TokenRefusal('repeated parameter');
  if (transaction.service_id !== client.service.id) throw new TokenRefusal('another service');
  if (!isOneOf(browser, transaction.browser_hash)) throw new TokenRefusal('another browser');
  return { transaction, attempt: { state, nonce: transaction.nonce, verifier: transaction.verifier } };
};

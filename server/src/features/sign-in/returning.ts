import { sha256 } from '#platform/crypto/secrets.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { createRepeatedLines } from '#platform/log/repeated-lines.ts';
import type { ServiceClient, SignInService } from './identity-service.ts';
import { isOneOf, type OneTimeCodes } from './one-time-codes.ts';
import type { SignInParts } from './parts.ts';
import { hasRepeatedParameter, isManagedAt, isPersonOf, mayName } from './sign-in.rules.ts';
import { takeTransaction } from './sign-in.store.ts';

interface Parts extends Pick<SignInParts, 'pool' | 'accounts' | 'clock' | 'log'> {
  readonly services: readonly SignInService[];
  readonly codes: OneTimeCodes;
}

/** Steps 5 and 6: a one-time code for the browser's client, or undefined for everything that does not fit. */
export type ReturnFrom = (client: ServiceClient, parameters: URLSearchParams, browser: readonly string[]) => Promise<string | undefined>;

/** Why a return was refused; for the log only, the person learns only that it failed. */
class RefusedReturn extends Error {
  override readonly name = 'RefusedReturn';
}

export const createReturn = (parts: Parts): ReturnFrom => {
  const lines = createRepeatedLines(parts);
  return async (client, parameters, browser) => {
    try {
      return await completeReturn(parts, client, { parameters, browser });
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // The error of a foreign service may carry what it sent; only its name and sentence are kept.
      const { name, message } = error instanceof Error ? error : { name: 'unknown', message: '' };
      const service = client.service.id;
      const kind = `${service}: ${error instanceof RefusedReturn ? message : name}`;
      lines.warn(kind, { service, reason: `${name}: ${message}` }, 'sign-in refused');
      return undefined;
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
  if (transaction.hint !== null && transaction.hint !== signedIn.personalId) throw new RefusedReturn('signed in as another person');
  if (!mayName(client.service, services, signedIn.personalId)) throw new RefusedReturn('a personal id of another service');
  const arrival = { language: transaction.language, managed: isManagedAt(client.service.id) };
  const account = await accounts.welcome(signedIn.personalId, arrival, pool);
  if (account === undefined) throw new RefusedReturn('no such client, or a disabled one');
  if (!isPersonOf(account, client.service.id)) throw new RefusedReturn('a client of another service');
  return codes.issue(
    { ...signedIn, serviceId: client.service.id },
    { challenge: transaction.challenge, browserHash: transaction.browser_hash },
  );
};

const takeAttempt = async ({ pool, clock }: Parts, client: ServiceClient, { parameters, browser }: Returned) => {
  // Taken before any check: a failed return leaves no second try with the same state.
  const state = parameters.get('state') ?? '';
  const transaction = await takeTransaction(pool, sha256(state));
  if (transaction === undefined) throw new RefusedReturn('unknown or used state');
  if (transaction.expires_at <= clock.now()) throw new RefusedReturn('too late');
  if (hasRepeatedParameter(parameters)) throw new RefusedReturn('repeated parameter');
  if (transaction.service_id !== client.service.id) throw new RefusedReturn('another service');
  if (!isOneOf(browser, transaction.browser_hash)) throw new RefusedReturn('another browser');
  return { transaction, attempt: { state, nonce: transaction.nonce, verifier: transaction.verifier } };
};

import { signInLimits } from '@pergamin/contract';
import type { Pool } from 'pg';
import type { Clock } from '#platform/clock/clock.ts';
import { isEqual, randomToken, sha256 } from '#platform/crypto/secrets.ts';
import { PortalError } from '#platform/http/errors.ts';
import { seal, unseal } from './sealed.ts';
import { challengeOf } from './sign-in.rules.ts';
import * as store from './sign-in.store.ts';

/** Who signed in where. */
export interface Redemption {
  readonly personalId: string;
  readonly serviceId: string;
  readonly serviceSession: string | null;
  readonly serviceSubject: string | null;
  readonly idToken: string | null;
}

export interface OneTimeCodes {
  /** A code that this browser alone can turn into a session, once, with the verifier of its challenge. */
  issue(signedIn: Redemption, browser: { challenge: string; browserHash: Buffer }): Promise<string>;
  /** Step 7. Throws INVALID_CREDENTIALS_ERROR; the code is burnt either way. */
  redeem(login: { code: string; verifier: string }, browser: string | undefined): Promise<Redemption>;
}

export const isSameHash = (hash: Buffer, secret: string | undefined): boolean => secret !== undefined && isEqual(hash, sha256(secret));

export const createOneTimeCodes = ({ pool, clock }: { pool: Pool; clock: Clock }): OneTimeCodes => ({
  async issue({ personalId, serviceId, serviceSession, serviceSubject, idToken }, { challenge, browserHash }) {
    const code = randomToken();
    await store.insertCode(pool, {
      code_hash: sha256(code),
      challenge,
      browser_hash: browserHash,
      personal_id: personalId,
      service_id: serviceId,
      service_session: serviceSession,
      service_subject: serviceSubject,
      id_token: idToken === null ? null : seal(code, idToken),
      expires_at: new Date(clock.now().getTime() + signInLimits.codeLifetimeMs),
    });
    return code;
  },

  async redeem({ code, verifier }, browser) {
    const row = await store.takeCode(pool, sha256(code));
    const fits =
      row !== undefined && row.expires_at > clock.now() && challengeOf(verifier) === row.challenge && isSameHash(row.browser_hash, browser);
    if (!fits) throw new PortalError('INVALID_CREDENTIALS_ERROR');
    return {
      personalId: row.personal_id,
      serviceId: row.service_id,
      serviceSession: row.service_session,
      serviceSubject: row.service_subject,
      idToken: row.id_token === null ? null : (unseal(code, row.id_token) ?? null),
    };
  },
});

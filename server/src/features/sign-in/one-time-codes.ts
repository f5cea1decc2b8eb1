import { signInLimits } from '@pergamin/contract';
import { isEqual, randomToken, sha256 } from '#platform/crypto/secrets.ts';
import type { SignedIn } from './identity-service.ts';
import type { SignInParts } from './parts.ts';
import { seal } from './sealed.ts';
import * as store from './sign-in.store.ts';

/** The person, and the service that signed them in. */
export interface SignedInAt extends SignedIn {
  readonly serviceId: string;
}

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>;

/** Whether the hash is that of one of these secrets. */
export const isOneOf = (secrets: readonly string[], hash: Buffer): boolean => secrets.some((secret) => isEqual(hash, sha256(secret)));

export const createOneTimeCodes = ({ pool, clock }: Pick<SignInParts, 'pool' | 'clock'>) => ({
  /** A code that this browser alone can turn into a session, once, with the verifier of its challenge. */
  async issue(
    { personalId, serviceId, serviceSession, serviceSubject, idToken }: SignedInAt,
    { challenge, browserHash }: { challenge: string; browserHash: Buffer },
  ): Promise<string> {
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
});

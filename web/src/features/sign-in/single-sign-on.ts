import { sessionLimits, verifySso } from '@pergamin/contract';
import { call } from '#platform/api.ts';
import { borrowSession } from '#platform/cross-tab.ts';
import type { TranslationKey } from '#platform/language.ts';
import { currentToken, personalIdOf } from '#platform/session-token.ts';
import { clearStatuteFlag } from '#platform/statute-flag.ts';
import type { Arrival } from './arrival.ts';
import { exchangeCode, failureOf } from './complete-sign-in.ts';
import { newVerifier, stateFor } from './sign-in-state.ts';

interface Failed {
  readonly kind: 'failed';
  readonly sentence: TranslationKey;
}
/** `isSignedIn`: it is the person who is signed in here already, so there is nothing to ask. */
export type Verified = { readonly kind: 'verified'; readonly code: string; readonly name: string; readonly isSignedIn: boolean } | Failed;

/** Exchanges the assertion for a one-time code that is bound to this tab (B4). */
export const verifyArrival = async (arrival: Arrival): Promise<Verified> => {
  if (arrival.kind !== 'assertion') return { kind: 'failed', sentence: 'signIn.unexpectedError' };
  const { assertion } = arrival;
  // A session of another tab counts here.
  await borrowSession();
  const state = await stateFor(newVerifier());
  try {
    const { code, name } = await call(verifySso, { params: { id: assertion }, query: { state } });
    const token = currentToken();
    const present = token === undefined ? undefined : personalIdOf(token);
    return { kind: 'verified', code, name, isSignedIn: present !== undefined && present === personalIdOf(assertion) };
  } catch (error) {
    return { kind: 'failed', sentence: failureOf(error) };
  }
};

/** Signs in with the code; only the server asks for the statute on this way (C2). */
export const signInOnce = async (code: string): Promise<{ readonly kind: 'signedIn' } | Failed> => {
  clearStatuteFlag();
  return exchangeCode(code);
};

/** A failure is told at once, and left this much later (B13). */
export const leaveAfterMs = sessionLimits.ssoErrorRedirectMs;

import { login, sessionLimits } from '@pergamin/contract';
import { call, CallError } from '#platform/api.ts';
import type { TranslationKey } from '#platform/language.ts';
import type { Arrival } from './arrival.ts';
import { codeField, takeVerifier } from './sign-in-state.ts';
import { serviceAddress } from './useSignInOptions.ts';

export type Outcome =
  | { readonly kind: 'signedIn' }
  /** The browser must go to this address of the server, which sends it on to the service. */
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly sentence: TranslationKey };

/** What follows from an arrival (B3, B12, B13). A failure is answered only after the time the specification gives it. */
export const completeSignIn = async (arrival: Arrival): Promise<Outcome> => {
  if (arrival.kind === 'service') return { kind: 'elsewhere', url: await serviceAddress(arrival.serviceId) };
  if (arrival.kind !== 'code') return { kind: 'refused' };
  const outcome = await exchangeCode(arrival.code);
  if (outcome.kind === 'failed') await new Promise((resolve) => setTimeout(resolve, sessionLimits.signInErrorDelayMs));
  return outcome;
};

/** Posts the code with the verifier of this tab, which is removed in any case (B3, B12). */
export const exchangeCode = async (code: string): Promise<Extract<Outcome, { readonly kind: 'signedIn' | 'failed' }>> => {
  const verifier = takeVerifier();
  // Without the verifier of this tab the sign-in was begun elsewhere; the server would refuse the code.
  if (verifier === undefined) return { kind: 'failed', sentence: 'signIn.unexpectedError' };
  const form = new FormData();
  form.set('code', codeField(code, verifier));
  try {
    await call(login, { form });
    return { kind: 'signedIn' };
  } catch (error) {
    return { kind: 'failed', sentence: failureOf(error) };
  }
};

/** What a failed sign-in is told as (B13): a code or assertion that is refused, or anything else, which may pass. */
export const failureOf = (error: unknown): TranslationKey => {
  const refused = error instanceof CallError && (error.code === 'INVALID_CREDENTIALS_ERROR' || error.code === 'VALIDATION_ERROR');
  return refused ? 'signIn.unexpectedError' : 'signIn.loginProblem';
};

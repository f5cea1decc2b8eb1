import { login, returnFromService, pathOf, sessionLimits } from '@pergamin/contract';
import { call, CallError } from '#platform/api.ts';
import type { TranslationKey } from '#platform/language.ts';
import type { Arrival } from './arrival.ts';
import { codeField, newVerifier, stateFor, takeVerifier } from './sign-in-state.ts';

export type Outcome =
  | { readonly kind: 'signedIn' }
  /** The browser must go to this address of the server, which sends it on to the service. */
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly sentence: TranslationKey };

/** What follows from an arrival (B3, B12, B13). A failure is answered only after the time the specification gives it. */
export const completeSignIn = async (arrival: Arrival): Promise<Outcome> => {
  if (arrival.kind === 'nothing') return { kind: 'refused' };
  if (arrival.kind === 'service') {
    const state = await stateFor(newVerifier());
    return { kind: 'elsewhere', url: pathOf(returnFromService, { params: { serviceId: arrival.serviceId }, query: { state } }) };
  }
  const outcome = await exchangeCode(arrival.code);
  if (outcome.kind === 'failed') await new Promise((resolve) => setTimeout(resolve, sessionLimits.signInErrorDelayMs));
  return outcome;
};

const exchangeCode = async (code: string): Promise<Outcome> => {
  const verifier = takeVerifier();
  // Without the verifier of this tab the sign-in was begun elsewhere; the server would refuse the code.
  if (verifier === undefined) return { kind: 'failed', sentence: 'signIn.unexpectedError' };
  const form = new FormData();
  form.set('code', codeField(code, verifier));
  try {
    await call(login, { form });
    return { kind: 'signedIn' };
  } catch (error) {
    return { kind: 'failed', sentence: isRefusedCode(error) ? 'signIn.unexpectedError' : 'signIn.loginProblem' };
  }
};

const isRefusedCode = (error: unknown): boolean =>
  error instanceof CallError && (error.code === 'INVALID_CREDENTIALS_ERROR' || error.code === 'VALIDATION_ERROR');

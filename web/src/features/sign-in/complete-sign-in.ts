import { login } from '@pergamin/contract';
import { call, CallError } from '#platform/api.ts';
import type { TranslationKey } from '#platform/language.ts';
import { codeField, takeVerifier } from './sign-in-state.ts';

/**
 * Posts the code with the verifier of this tab, which is removed in any case (B3, B12). Answers what a failure is told as, undefined with a
 * session.
 */
export const exchangeCode = async (code: string): Promise<TranslationKey | undefined> => {
  const verifier = takeVerifier();
  // Without the verifier of this tab the sign-in was begun elsewhere; the server would refuse the code.
  if (verifier === undefined) return 'signIn.unexpectedError';
  const form = new FormData();
  form.set('code', codeField(code, verifier));
  return call(login, { form }).then(() => undefined, failureOf);
};

/** What a failed sign-in is told as (B13): a code or assertion that is refused, or anything else, which may pass. */
export const failureOf = (error: unknown): TranslationKey => {
  const refused = error instanceof CallError && (error.code === 'INVALID_CREDENTIALS_ERROR' || error.code === 'VALIDATION_ERROR');
  return refused ? 'signIn.unexpectedError' : 'signIn.loginProblem';
};

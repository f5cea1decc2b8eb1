import type { TranslationKey } from '#platform/language.ts';

/**
 * What `/login-ex?error=…` says of what led there (B13): the way back was refused, the identity service cannot be reached, or a session is over.
 */
const sentences: ReadonlyMap<string | null, TranslationKey> = new Map<string | null, TranslationKey>([
  ['auth', 'signIn.unexpectedError'],
  ['service', 'signIn.loginProblem'],
  ['session', 'session.noLongerActive'],
]);

export const failureSentence = (error: string | null): TranslationKey | undefined => sentences.get(error);

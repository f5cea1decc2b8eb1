import type { TranslationKey } from '#platform/language.ts';

/** What `/login-ex?error=…` says of the sign-in that led there (B13): the way back was refused, or the identity service cannot be reached. */
const sentences: ReadonlyMap<string | null, TranslationKey> = new Map<string | null, TranslationKey>([
  ['auth', 'signIn.unexpectedError'],
  ['service', 'signIn.loginProblem'],
]);

export const failureSentence = (error: string | null): TranslationKey | undefined => sentences.get(error);

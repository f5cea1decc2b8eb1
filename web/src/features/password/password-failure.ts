import { passwordFaultWords, readPasswordExists } from '@pergamin/contract';
import { CallError } from '#platform/api.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';

export type PasswordField = 'oldPassword' | 'newPassword' | 'repeated';

/** Sentences of the fields, and one for the whole form when no field is to blame. */
export interface PasswordProblems {
  readonly fields: Partial<Record<PasswordField, string>>;
  readonly form?: string;
}

/** From this many on the sentence is another one (K4). */
const mostInShortSentence = 5;

/** What a refused change of the password is told as (K1, K4). */
export const problemsOf = (error: unknown): PasswordProblems => {
  if (!(error instanceof CallError)) return { fields: {}, form: sentenceOf(error) };
  if (error.code === 'INVALID_CREDENTIALS_ERROR') return { fields: { oldPassword: t('password.invalidOld') } };
  if (error.code !== 'VALIDATION_ERROR') return { fields: {}, form: sentenceOf(error) };
  const named = Object.entries(error.fields ?? {}).flatMap(([field, problem]) =>
    field === 'oldPassword' || field === 'newPassword' ? [[field, fieldSentence(problem)] as const] : [],
  );
  return { fields: named.length > 0 ? Object.fromEntries(named) : { newPassword: usedBefore(error.message) } };
};

const usedBefore = (message: string): string => {
  const count = readPasswordExists(message);
  if (count === undefined) return t('password.mustDiffer');
  return t(count > mostInShortSentence ? 'password.PASSWORD_EXISTS_MORE_THAN_FIVE' : 'password.PASSWORD_EXISTS', { count });
};

/** The server tells a field's problem in words that are not for customers; the ones that a customer can do something about have sentences. */
const fieldSentence = (problem: string): string => {
  if (problem === passwordFaultWords.personalId) return t('identity.passwordHoldsId');
  if (problem === passwordFaultWords.common) return t('identity.passwordTooCommon');
  return t('error.invalidValue');
};

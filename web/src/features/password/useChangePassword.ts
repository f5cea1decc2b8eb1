import { changePassword, passwordFaultWords, passwordLimits, readPasswordExists } from '@pergamin/contract';
import { useState } from 'react';
import { call, CallError } from '#platform/api.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';

const fields = ['oldPassword', 'newPassword', 'repeated'] as const;
export type PasswordField = (typeof fields)[number];

type PasswordValues = Readonly<Record<PasswordField, string>>;

/** Sentences of the fields, and one for the whole form when no field is to blame. */
type Problems = Readonly<Partial<Record<PasswordField | 'form', string | undefined>>>;

/** The form of the change; `onChanged` is called once the server has taken the new password. */
export function useChangePassword(onChanged: () => void) {
  const [values, setValues] = useState<PasswordValues>({ oldPassword: '', newPassword: '', repeated: '' });
  const [problems, setProblems] = useState<Problems>({});
  const [sending, setSending] = useState(false);

  const edit = (field: PasswordField, value: string): void => {
    setValues({ ...values, [field]: value });
    // The repetition is compared with the new password: when one is edited, both are looked at again.
    const others = field === 'newPassword' ? { repeated: undefined } : {};
    setProblems({ ...problems, ...others, [field]: undefined, form: undefined });
  };
  /** Says that the repetition differs as soon as it was typed and left. */
  const leaveRepetition = (): void => {
    if (values.repeated !== '') setProblems({ ...problems, repeated: repetitionProblem(values) });
  };
  /** Says what was found; answers the first field that is wrong. */
  const tell = (found: Problems): PasswordField | undefined => {
    setProblems(found);
    return fields.find((field) => found[field] !== undefined);
  };
  /** Answers the first field that is wrong, for the focus. */
  const submit = async (): Promise<PasswordField | undefined> => {
    if (sending) return undefined;
    const wrong = tell(problemsIn(values));
    if (wrong !== undefined) return wrong;
    setSending(true);
    try {
      await call(changePassword, { body: { oldPassword: values.oldPassword, newPassword: values.newPassword } });
      onChanged();
      return undefined;
    } catch (error) {
      return tell(problemsOf(error));
    } finally {
      setSending(false);
    }
  };
  return { values, problems, sending, edit, leaveRepetition, submit };
}

/** What a new password must have (K1), in the order in which it is ticked off. Who keeps the password decides in the end. */
export const rules = [
  { word: 'password.ruleLength', isKept: ({ newPassword }) => isBetween(Array.from(newPassword).length) },
  { word: 'password.ruleLowercase', isKept: ({ newPassword }) => /\p{Ll}/u.test(newPassword) },
  { word: 'password.ruleUppercase', isKept: ({ newPassword }) => /\p{Lu}/u.test(newPassword) },
  { word: 'password.ruleDigit', isKept: ({ newPassword }) => /\d/.test(newPassword) },
  { word: 'password.ruleDifferent', isKept: ({ newPassword, oldPassword }) => newPassword !== '' && newPassword !== oldPassword },
] as const satisfies readonly { readonly word: string; readonly isKept: (values: PasswordValues) => boolean }[];

const { minLength: min, maxLength: max } = passwordLimits;
const isBetween = (length: number): boolean => length >= min && length <= max;

export const keptRules = (values: PasswordValues): ReadonlySet<(typeof rules)[number]['word']> =>
  new Set(rules.filter(({ isKept }) => isKept(values)).map(({ word }) => word));

const problemsIn = (values: PasswordValues): Problems => ({
  oldPassword: values.oldPassword === '' ? t('error.fieldRequired') : undefined,
  newPassword: newPasswordProblem(values),
  repeated: values.repeated === '' ? t('error.fieldRequired') : repetitionProblem(values),
});

const newPasswordProblem = (values: PasswordValues): string | undefined => {
  const kept = keptRules(values);
  if (values.newPassword === '') return t('error.fieldRequired');
  if (!kept.has('password.ruleLength')) return t('password.wrongLength', { min, max });
  const kinds = ['password.ruleLowercase', 'password.ruleUppercase', 'password.ruleDigit'] as const;
  if (!kinds.every((kind) => kept.has(kind))) return t('password.missingKinds');
  return kept.has('password.ruleDifferent') ? undefined : t('password.mustDiffer');
};

const repetitionProblem = ({ newPassword, repeated }: PasswordValues): string | undefined =>
  repeated === newPassword ? undefined : t('password.different');

/** What a refused change of the password is told as (K1, K4). */
const problemsOf = (error: unknown): Problems => {
  if (error instanceof CallError && error.code === 'INVALID_CREDENTIALS_ERROR') return { oldPassword: t('password.invalidOld') };
  if (!(error instanceof CallError) || error.code !== 'VALIDATION_ERROR') return { form: sentenceOf(error) };
  const { oldPassword, newPassword } = error.fields ?? {};
  if (oldPassword === undefined && newPassword === undefined) return { newPassword: usedBefore(error.message) };
  return { oldPassword: oldPassword && fieldSentence(oldPassword), newPassword: newPassword && fieldSentence(newPassword) };
};

/** From this many on the sentence is another one (K4). */
const mostInShortSentence = 5;

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

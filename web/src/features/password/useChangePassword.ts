import { changePassword, passwordLimits } from '@pergamin/contract';
import { useState } from 'react';
import { call } from '#platform/api.ts';
import { t } from '#platform/language.ts';
import { problemsOf, type PasswordField, type PasswordProblems } from './password-failure.ts';
import { keptRules } from './password.rules.ts';

type Values = Readonly<Record<PasswordField, string>>;

interface ChangePassword {
  readonly values: Values;
  readonly problems: PasswordProblems;
  readonly sending: boolean;
  readonly edit: (field: PasswordField, value: string) => void;
  /** Says that the repetition differs as soon as it was typed and left. */
  readonly leaveRepetition: () => void;
  /** Answers the first field that is wrong, for the focus. */
  readonly submit: () => Promise<PasswordField | undefined>;
}

/** The form of the change; `onChanged` is called once the server has taken the new password. */
export function useChangePassword(onChanged: () => void): ChangePassword {
  const [values, setValues] = useState<Values>({ oldPassword: '', newPassword: '', repeated: '' });
  const [problems, setProblems] = useState<PasswordProblems>({ fields: {} });
  const [sending, setSending] = useState(false);

  const edit = (field: PasswordField, value: string) => {
    setValues({ ...values, [field]: value });
    // The repetition is compared with the new password: when one is edited, both are looked at again.
    const edited = field === 'oldPassword' ? ['oldPassword'] : field === 'newPassword' ? ['newPassword', 'repeated'] : ['repeated'];
    setProblems({ fields: Object.fromEntries(Object.entries(problems.fields).filter(([name]) => !edited.includes(name))) });
  };
  const leaveRepetition = () => {
    if (values.repeated === '' || values.repeated === values.newPassword) return;
    setProblems({ ...problems, fields: { ...problems.fields, repeated: t('password.different') } });
  };
  const submit = async (): Promise<PasswordField | undefined> => {
    if (sending) return undefined;
    const found = problemsWith(values);
    setProblems({ fields: found });
    if (firstOf(found) !== undefined) return firstOf(found);
    setSending(true);
    try {
      await call(changePassword, { body: { oldPassword: values.oldPassword, newPassword: values.newPassword } });
      onChanged();
      return undefined;
    } catch (error) {
      const refused = problemsOf(error);
      setProblems(refused);
      return firstOf(refused.fields);
    } finally {
      setSending(false);
    }
  };
  return { values, problems, sending, edit, leaveRepetition, submit };
}

const order: readonly PasswordField[] = ['oldPassword', 'newPassword', 'repeated'];
const firstOf = (fields: PasswordProblems['fields']): PasswordField | undefined => order.find((field) => fields[field] !== undefined);

const problemsWith = (values: Values): PasswordProblems['fields'] => {
  const newPassword = newPasswordProblem(values);
  return {
    ...(values.oldPassword === '' ? { oldPassword: t('error.fieldRequired') } : {}),
    ...(newPassword === undefined ? {} : { newPassword }),
    ...repetitionProblem(values),
  };
};

const newPasswordProblem = (values: Values): string | undefined => {
  const kept = keptRules(values);
  const { minLength: min, maxLength: max } = passwordLimits;
  if (values.newPassword === '') return t('error.fieldRequired');
  if (!kept.has('length')) return t('password.wrongLength', { min, max });
  if (!kept.has('lowercase') || !kept.has('uppercase') || !kept.has('digit')) return t('password.missingKinds');
  return kept.has('different') ? undefined : t('password.mustDiffer');
};

const repetitionProblem = ({ newPassword, repeated }: Values): { repeated?: string } => {
  if (repeated === '') return { repeated: t('error.fieldRequired') };
  return repeated === newPassword ? {} : { repeated: t('password.different') };
};

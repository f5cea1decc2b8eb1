import { passwordLimits } from '@pergamin/contract';

/** What a new password must have (K1), in the order in which the dialog ticks it off. */
export const passwordRules = ['length', 'lowercase', 'uppercase', 'digit', 'different'] as const;
export type PasswordRule = (typeof passwordRules)[number];

interface Typed {
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Which rules a new password keeps. Who keeps the password decides in the end; this is to help while typing. */
export const keptRules = ({ oldPassword, newPassword }: Typed): ReadonlySet<PasswordRule> => {
  const length = Array.from(newPassword).length;
  const kept: Record<PasswordRule, boolean> = {
    length: length >= passwordLimits.minLength && length <= passwordLimits.maxLength,
    lowercase: /\p{Ll}/u.test(newPassword),
    uppercase: /\p{Lu}/u.test(newPassword),
    digit: /\d/.test(newPassword),
    different: newPassword !== '' && newPassword !== oldPassword,
  };
  return new Set(passwordRules.filter((rule) => kept[rule]));
};

import { passwordLimits } from '@pergamin/contract';
import { Icon } from '#kit/icons/Icon.tsx';
import { t, type TranslationKey } from '#platform/language.ts';
import css from './PasswordRules.module.css';
import type { PasswordValues } from './useChangePassword.ts';

const { minLength: min, maxLength: max } = passwordLimits;

const isBetween = (length: number): boolean => length >= min && length <= max;

/** What a new password must have (K1), in the order in which it is ticked off. */
const rules = [
  { name: 'length', word: 'password.ruleLength', isKept: ({ newPassword }) => isBetween(Array.from(newPassword).length) },
  { name: 'lowercase', word: 'password.ruleLowercase', isKept: ({ newPassword }) => /\p{Ll}/u.test(newPassword) },
  { name: 'uppercase', word: 'password.ruleUppercase', isKept: ({ newPassword }) => /\p{Lu}/u.test(newPassword) },
  { name: 'digit', word: 'password.ruleDigit', isKept: ({ newPassword }) => /\d/.test(newPassword) },
  {
    name: 'different',
    word: 'password.ruleDifferent',
    isKept: ({ newPassword, oldPassword }) => newPassword !== '' && newPassword !== oldPassword,
  },
] as const satisfies readonly Rule[];

interface Rule {
  readonly name: string;
  readonly word: TranslationKey;
  readonly isKept: (values: PasswordValues) => boolean;
}

/** Which rules a new password keeps. Who keeps the password decides in the end; this is to help while typing. */
export const keptRules = (values: PasswordValues): ReadonlySet<(typeof rules)[number]['name']> =>
  new Set(rules.filter(({ isKept }) => isKept(values)).map(({ name }) => name));

/** The rules of a new password, ticked off while it is typed. */
export function PasswordRules({ id, values }: { readonly id: string; readonly values: PasswordValues }) {
  const kept = keptRules(values);
  return (
    <ul id={id} className={css['rules']} aria-label={t('password.rules')}>
      {rules.map(({ name, word }) => (
        <li key={name} data-kept={kept.has(name) || undefined}>
          <Icon name={kept.has(name) ? 'check-bold' : 'minus-bold'} size="s" />
          {t(word, { min, max })}
          <span className="visually-hidden">: {t(kept.has(name) ? 'password.ruleMet' : 'password.ruleOpen')}</span>
        </li>
      ))}
    </ul>
  );
}

import { passwordLimits } from '@pergamin/contract';
import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import { passwordRules, type PasswordRule } from './password.rules.ts';
import css from './PasswordRules.module.css';

/** What the new password must have, ticked off while it is typed. */
export function PasswordRules({ id, kept }: { readonly id: string; readonly kept: ReadonlySet<PasswordRule> }) {
  const { minLength: min, maxLength: max } = passwordLimits;
  const words: Record<PasswordRule, string> = {
    length: t('password.ruleLength', { min, max }),
    lowercase: t('password.ruleLowercase'),
    uppercase: t('password.ruleUppercase'),
    digit: t('password.ruleDigit'),
    different: t('password.ruleDifferent'),
  };
  return (
    <ul id={id} className={css['rules']} aria-label={t('password.rules')}>
      {passwordRules.map((rule) => (
        <li key={rule} data-kept={kept.has(rule) || undefined}>
          <Icon name={kept.has(rule) ? 'check-bold' : 'minus-bold'} size="s" />
          {words[rule]}
          <span className="visually-hidden">: {t(kept.has(rule) ? 'password.ruleMet' : 'password.ruleOpen')}</span>
        </li>
      ))}
    </ul>
  );
}

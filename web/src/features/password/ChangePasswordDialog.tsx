import { passwordLimits } from '@pergamin/contract';
import { useId, useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { TextField, type TextFieldProps } from '#kit/forms/TextField.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import css from './ChangePasswordDialog.module.css';
import { keptRules, type PasswordField as Field, rules, useChangePassword } from './useChangePassword.ts';

interface ChangePasswordDialogProps {
  /** Goes with the new password into the password manager; never shown. */
  readonly personalId: string;
  readonly onClose: () => void;
}

/** K1: the old password, a new one and the new one again. */
export function ChangePasswordDialog({ personalId, onClose }: ChangePasswordDialogProps) {
  const formId = useId();
  const rulesId = useId();
  const { values, problems, sending, edit, leaveRepetition, submit } = useChangePassword(() => {
    emit('alert', { tone: 'success', title: t('password.changed'), detail: t('password.changedLead') });
    onClose();
  });
  const kept = keptRules(values);
  const field = (name: Field): Pick<TextFieldProps, 'name' | 'value' | 'error' | 'onChange'> => ({
    name,
    value: values[name],
    error: problems[name],
    onChange: ({ target }) => edit(name, target.value),
  });
  return (
    <Dialog
      title={t('menu.changePassword')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('password.cancel')}</Button>
          <Button type="submit" form={formId} kind="primary" busy={sending}>
            {t('menu.changePassword')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={css['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          void submit().then((wrong) => wrong && form.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus());
        }}
      >
        {problems.form !== undefined && (
          <p className={css['failure']} role="alert">
            <Icon name="warning-circle-fill" />
            {problems.form}
          </p>
        )}
        <input type="text" name="username" autoComplete="username" value={personalId} readOnly hidden />
        <PasswordField {...field('oldPassword')} label={t('password.old')} autoComplete="current-password" />
        <PasswordField {...field('newPassword')} label={t('password.new')} autoComplete="new-password" aria-describedby={rulesId} />
        <ul id={rulesId} className={css['rules']} aria-label={t('password.rules')}>
          {rules.map(({ word }) => (
            <li key={word} data-kept={kept.has(word) || undefined}>
              <Icon name={kept.has(word) ? 'check-bold' : 'minus-bold'} size="s" />
              {t(word, { min: passwordLimits.minLength, max: passwordLimits.maxLength })}
              <span className="visually-hidden">: {t(kept.has(word) ? 'password.ruleMet' : 'password.ruleOpen')}</span>
            </li>
          ))}
        </ul>
        <PasswordField {...field('repeated')} label={t('password.repeat')} autoComplete="new-password" onBlur={leaveRepetition} />
      </form>
    </Dialog>
  );
}

/** The most that the contract lets through; a longer paste is refused in words, never cut off silently at the limit of the rules. */
const mostCharacters = 200;

/** A password that can be pasted, filled in by a password manager and looked at. */
function PasswordField(props: TextFieldProps) {
  const [revealed, setRevealed] = useState(false);
  return (
    <TextField
      {...props}
      type={revealed ? 'text' : 'password'}
      maxLength={mostCharacters}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        <IconButton
          icon={revealed ? 'eye-slash' : 'eye'}
          name={t(revealed ? 'password.hide' : 'password.reveal', { field: props.label })}
          onClick={() => setRevealed(!revealed)}
        />
      }
    />
  );
}

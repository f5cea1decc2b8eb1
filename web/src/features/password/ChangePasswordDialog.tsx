import { useId } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import css from './ChangePasswordDialog.module.css';
import { PasswordField } from './PasswordField.tsx';
import { PasswordRules } from './PasswordRules.tsx';
import { type PasswordField as Field, useChangePassword } from './useChangePassword.ts';

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
  const field = (name: Field) => ({
    name,
    value: values[name],
    error: problems[name],
    onChange: (value: string) => edit(name, value),
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
        <PasswordField {...field('newPassword')} label={t('password.new')} autoComplete="new-password" describedBy={rulesId} />
        <PasswordRules id={rulesId} values={values} />
        <PasswordField {...field('repeated')} label={t('password.repeat')} autoComplete="new-password" onBlur={leaveRepetition} />
      </form>
    </Dialog>
  );
}

import { passwordLimits, requestPasswordReset, type UserInfo } from '@pergamin/contract';
import { useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { QuestionDialog } from '#kit/overlays/QuestionDialog.tsx';
import { call, CallError } from '#platform/api.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import css from './PasswordDialog.module.css';

interface PasswordDialogProps {
  readonly wanted: 'change' | 'reset';
  readonly user: UserInfo;
  readonly onClose: () => void;
}

/** What the two password entries of the account menu open: the same for everybody, but for a password that another service keeps (K3). */
export function PasswordDialog({ wanted, user, onClose }: PasswordDialogProps) {
  if (!user.managed && wanted === 'reset') return <ResetPasswordDialog onClose={onClose} />;
  if (!user.managed) return <ChangePasswordDialog personalId={user.personalId} onClose={onClose} />;
  const service = user.passwordService?.name ?? t('password.outsideService');
  const url = user.passwordService?.url ?? undefined;
  return (
    <Dialog title={t(wanted === 'change' ? 'menu.changePassword' : 'menu.resetPassword')} onClose={onClose}>
      <p>{t('password.managedBy', { service })}</p>
      {url === undefined ? (
        <p>{t('password.managedLead')}</p>
      ) : (
        <p>
          <a href={url} target="_blank" rel="noreferrer">
            {t('password.openService', { service })}
          </a>
        </p>
      )}
    </Dialog>
  );
}

/** K2: asks first, then says whether the message with the link has left. */
function ResetPasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [result, setResult] = useState<{ readonly failure?: unknown }>();
  const sending = useBusy(() =>
    call(requestPasswordReset, {}).then(
      () => setResult({}),
      (failure: unknown) => setResult({ failure }),
    ),
  );
  const title = t('menu.resetPassword');
  if (result === undefined)
    return (
      <QuestionDialog
        urgent
        title={title}
        no={t('password.cancel')}
        yes={t('password.sendLink')}
        busy={sending.busy}
        onAnswer={(yes) => (yes ? sending.start() : onClose())}
      >
        <p>{t('password.askReset')}</p>
        <p className={css['lead']}>{t('password.askResetLead', { minutes: passwordLimits.resetLifetimeMs / 60_000 })}</p>
      </QuestionDialog>
    );
  const { failure } = result;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <Button kind="primary" autoFocus onClick={onClose}>
          {t('dialog.ok')}
        </Button>
      }
    >
      <p className={css[failure === undefined ? 'sent' : 'failed']} role="status">
        <Icon name={failure === undefined ? 'check-circle-fill' : 'warning-circle-fill'} />
        {t(failure === undefined ? 'password.linkSent' : 'password.linkFailed')}
      </p>
      {/* How long to wait is the one reason that helps. */}
      {failure instanceof CallError && failure.status === 429 && <p>{sentenceOf(failure)}</p>}
    </Dialog>
  );
}

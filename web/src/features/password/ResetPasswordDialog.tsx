import { passwordLimits, requestPasswordReset } from '@pergamin/contract';
import { useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { call, CallError } from '#platform/api.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import css from './ResetPasswordDialog.module.css';

type Result = { readonly sent: true } | { readonly sent: false; readonly detail: string | undefined };

/** K2: asks first, then says whether the message with the link has left. */
export function ResetPasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [sending, setSending] = useState(false);
  const [result, setResult] = useState<Result>();
  const send = () => {
    setSending(true);
    call(requestPasswordReset, {}).then(
      () => setResult({ sent: true }),
      // How long to wait is the one reason that helps.
      (error: unknown) =>
        setResult({ sent: false, detail: error instanceof CallError && error.status === 429 ? sentenceOf(error) : undefined }),
    );
  };
  if (result !== undefined) return <ResultDialog result={result} onClose={onClose} />;
  return (
    <Dialog
      title={t('menu.resetPassword')}
      urgent
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('password.cancel')}</Button>
          <Button kind="primary" busy={sending} onClick={send}>
            {t('password.sendLink')}
          </Button>
        </>
      }
    >
      <p>{t('password.askReset')}</p>
      <p className={css['lead']}>{t('password.askResetLead', { minutes: passwordLimits.resetLifetimeMs / 60_000 })}</p>
    </Dialog>
  );
}

function ResultDialog({ result, onClose }: { readonly result: Result; readonly onClose: () => void }) {
  return (
    <Dialog
      title={t('menu.resetPassword')}
      onClose={onClose}
      foot={
        <Button kind="primary" autoFocus onClick={onClose}>
          {t('dialog.ok')}
        </Button>
      }
    >
      <p className={css[result.sent ? 'sent' : 'failed']} role="status">
        <Icon name={result.sent ? 'check-circle-fill' : 'warning-circle-fill'} />
        {t(result.sent ? 'password.linkSent' : 'password.linkFailed')}
      </p>
      {!result.sent && result.detail !== undefined && <p>{result.detail}</p>}
    </Dialog>
  );
}

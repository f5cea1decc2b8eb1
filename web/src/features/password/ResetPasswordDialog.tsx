import { passwordLimits, requestPasswordReset } from '@pergamin/contract';
import { useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { QuestionDialog } from '#kit/overlays/QuestionDialog.tsx';
import { call, CallError } from '#platform/api.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import css from './ResetPasswordDialog.module.css';

/** K2: asks first, then says whether the message with the link has left. */
export function ResetPasswordDialog({ onClose }: { readonly onClose: () => void }) {
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

import type { UserInfo } from '@pergamin/contract';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { t } from '#platform/language.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';

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

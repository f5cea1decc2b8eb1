import type { UserInfo } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { ManagedPasswordDialog } from './ManagedPasswordDialog.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';

interface PasswordDialogProps {
  readonly wanted: 'change' | 'reset';
  readonly user: UserInfo;
  readonly onClose: () => void;
}

/** What the two password entries of the account menu open: the same for everybody, but for a password that another service keeps (K3). */
export function PasswordDialog({ wanted, user, onClose }: PasswordDialogProps) {
  if (user.managed) {
    const title = t(wanted === 'change' ? 'menu.changePassword' : 'menu.resetPassword');
    return <ManagedPasswordDialog title={title} service={user.passwordService ?? undefined} onClose={onClose} />;
  }
  if (wanted === 'reset') return <ResetPasswordDialog onClose={onClose} />;
  return <ChangePasswordDialog personalId={user.personalId} onClose={onClose} />;
}

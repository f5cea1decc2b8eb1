import { Dialog } from '#kit/overlays/Dialog.tsx';
import { t } from '#platform/language.ts';

interface ManagedPasswordDialogProps {
  readonly title: string;
  /** Who keeps the password, as far as the server says; `url` is where it can be changed. */
  readonly service: { readonly name: string; readonly url: string | null } | undefined;
  readonly onClose: () => void;
}

/** K3: of a client whose password another service keeps. */
export function ManagedPasswordDialog({ title, service, onClose }: ManagedPasswordDialogProps) {
  const name = service?.name ?? t('password.outsideService');
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t('password.managedBy', { service: name })}</p>
      {service?.url == null ? (
        <p>{t('password.managedLead')}</p>
      ) : (
        <p>
          <a href={service.url} target="_blank" rel="noreferrer">
            {t('password.openService', { service: name })}
          </a>
        </p>
      )}
    </Dialog>
  );
}

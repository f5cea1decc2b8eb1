import type { Notification } from '@pergamin/contract';
import { Flyout } from '#kit/overlays/Flyout.tsx';
import { t } from '#platform/language.ts';
import { NotificationPanel } from './NotificationPanel.tsx';
import { useNotifications } from './notifications.queries.ts';

/** What is new for the person, behind a bell that counts it (M1); `onOpen` shows what the chosen one is about. */
export function NotificationBell({ onOpen }: { readonly onOpen: (notification: Notification) => void }) {
  const notifications = useNotifications();
  const count = notifications.items?.length ?? 0;
  return (
    <Flyout
      icon={count > 0 ? 'bell-fill' : 'bell'}
      name={count > 0 ? t('notifications.unread', { count }) : t('notifications.title')}
      count={count}
      label={t('notifications.title')}
    >
      {(close) => (
        <NotificationPanel
          notifications={notifications}
          onClose={close}
          onOpen={(notification) => {
            close();
            notifications.remove([notification.id]);
            onOpen(notification);
          }}
        />
      )}
    </Flyout>
  );
}

import type { Notification } from '@pergamin/contract';
import { useRef, type KeyboardEvent } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { focusNeighbour } from '#kit/hooks/focus-neighbour.ts';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';
import { Flyout } from '#kit/overlays/Flyout.tsx';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import itemCss from './NotificationItem.module.css';
import css from './NotificationPanel.module.css';
import { nameOf, type Notifications, useNotifications } from './notifications.queries.ts';

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

interface NotificationPanelProps {
  readonly notifications: Notifications;
  readonly onOpen: (notification: Notification) => void;
  readonly onClose: () => void;
}

/** The open bell: a head, five notifications before it scrolls, each to be opened or removed. */
function NotificationPanel({ notifications: { items, failed, retry, remove }, onOpen, onClose }: NotificationPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const phone = usePhone();

  const handleRemove = (id: string, row: Element) => {
    focusNeighbour(row, panel.current);
    remove([id]);
    announce(t('notifications.removed'));
  };
  const handleClear = () => {
    panel.current?.focus();
    remove((items ?? []).map(({ id }) => id));
    announce(t('notifications.cleared'));
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const all = [...(panel.current?.querySelectorAll<HTMLElement>('[data-notification]') ?? [])];
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const target = { ArrowDown: all[at + 1] ?? all.at(-1), ArrowUp: all[Math.max(0, at - 1)], Home: all[0], End: all.at(-1) }[event.key];
    const id = all[at]?.dataset['notification'];
    if (target !== undefined) target.querySelector('button')?.focus();
    else if (event.key === 'Delete' && id !== undefined && all[at] !== undefined) handleRemove(id, all[at]);
    else return;
    event.preventDefault();
  };
  return (
    // Keys that go from row to row; each row has buttons of its own.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={panel} className={css['panel']} tabIndex={-1} data-flyout-start="" onKeyDown={handleKeyDown}>
      <div className={css['head']}>
        <h2>{t('notifications.title')}</h2>
        {items !== undefined && items.length > 0 && (
          <button type="button" className={css['clear']} onClick={handleClear}>
            {t('notifications.clearAll')}
          </button>
        )}
        {phone && <IconButton icon="x" name={t('notifications.close')} onClick={onClose} />}
      </div>
      {items === undefined && !failed && (
        <div className={css['note']}>
          <ProgressLabel text={t('notifications.loading')} />
        </div>
      )}
      {failed && (
        <div className={css['note']} role="alert">
          <p>{t('notifications.failed')}</p>
          <Button onClick={retry}>{t('error.tryAgain')}</Button>
        </div>
      )}
      {items?.length === 0 && (
        <div className={css['note']}>
          <p>
            <b>{t('notifications.none')}</b>
            {t('notifications.noneLead')}
          </p>
        </div>
      )}
      {items !== undefined && items.length > 0 && (
        <ul className={css['list']}>
          {items.map((notification) => (
            <NotificationItem
              key={notification.id}
              notification={notification}
              onOpen={() => onOpen(notification)}
              onRemove={(button) => handleRemove(notification.id, button)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface NotificationItemProps {
  readonly notification: Notification;
  readonly onOpen: () => void;
  readonly onRemove: (button: HTMLElement) => void;
}

const faces = {
  publication: { icon: 'file-text-duotone', name: 'notifications.newDocument', kind: 'notifications.published' },
  withdrawal: { icon: 'file-text-duotone', name: 'notifications.cancelledDocument', kind: 'notifications.cancelled' },
  account_update: { icon: 'user-circle-duotone', name: 'notifications.accountUpdate', kind: 'notifications.dataUpdated' },
} as const;

/** What it is about, what happened, and when; pressed, it opens, and the bin removes it. */
function NotificationItem({ notification, onOpen, onRemove }: NotificationItemProps) {
  const { id, type, timestamp } = notification;
  const face = faces[type];
  const name = nameOf(notification) || t(face.name);
  return (
    <li className={itemCss['item']} data-notification={id}>
      <button type="button" className={itemCss['open']} onClick={onOpen}>
        <span className={itemCss['face']}>
          <Icon name={face.icon} />
        </span>
        <span className={itemCss['words']}>
          <b title={name}>{name}</b>
          <span className={itemCss['kind']}>{t(face.kind)}</span>
          <span className="num">{momentText(timestamp)}</span>
        </span>
      </button>
      <IconButton
        icon="trash"
        name={t('notifications.remove', { name })}
        data-remove=""
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      />
    </li>
  );
}

import type { Notification } from '@pergamin/contract';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import css from './NotificationItem.module.css';
import { nameOf } from './notifications.rules.ts';

interface NotificationItemProps {
  readonly notification: Notification;
  readonly onOpen: () => void;
  readonly onRemove: (button: HTMLElement) => void;
}

const faces = {
  publication: { icon: 'file-text-duotone', name: 'notifications.newDocument', kind: 'notifications.published' },
  account_update: { icon: 'user-circle-duotone', name: 'notifications.accountUpdate', kind: 'notifications.dataUpdated' },
} as const;

/** What it is about, what happened, and when; pressed, it opens, and the bin removes it. */
export function NotificationItem({ notification, onOpen, onRemove }: NotificationItemProps) {
  const { id, type, timestamp } = notification;
  const face = faces[type];
  const name = nameOf(notification) || t(face.name);
  return (
    <li className={css['item']} data-notification={id}>
      <button type="button" className={css['open']} onClick={onOpen}>
        <span className={css['face']}>
          <Icon name={face.icon} />
        </span>
        <span className={css['words']}>
          <b title={name}>{name}</b>
          <span className={css['kind']}>{t(face.kind)}</span>
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

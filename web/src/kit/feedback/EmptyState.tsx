import type { ReactNode } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import css from './States.module.css';

export interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** At most one action. */
  readonly action?: ReactNode;
}

/** The SHA-256 of an empty file: its seal stands where there is no document. */
export const emptyFile = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Nothing to show: a seal, one title, one sentence, one action. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={css['state']}>
      <div className={css['faint']}>
        <Seal sha256={emptyFile} size={132} />
      </div>
      <h3>{title}</h3>
      {text !== undefined && <p>{text}</p>}
      {action}
    </div>
  );
}

export interface ErrorStateProps extends EmptyStateProps {
  readonly icon?: IconName;
}

/** Something that cannot be shown: icon, title, sentence, way back. Read out as it appears. */
export function ErrorState({ title, text, action, icon = 'warning-duotone' }: ErrorStateProps) {
  return (
    <div className={css['state']} role="alert">
      <Icon name={icon} size="xxl" className={css['bad']} />
      <h3>{title}</h3>
      {text !== undefined && <p>{text}</p>}
      {action}
    </div>
  );
}

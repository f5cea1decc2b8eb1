import type { ReactNode } from 'react';
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

import type { ReactNode } from 'react';
import { emptyFile } from '#kit/seal/empty-file.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import css from './States.module.css';

export interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** At most one action. */
  readonly action?: ReactNode;
}

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

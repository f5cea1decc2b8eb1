import type { ReactNode } from 'react';
import css from './Card.module.css';

interface CardProps {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
}

/** The card of the sign-in: at most 500 × 400 px (A8). */
export function Card({ title, lead, children }: CardProps) {
  return (
    <div className={css['card']}>
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p className={css['lead']}>{lead}</p>}
      </div>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import css from './Card.module.css';

interface CardProps {
  readonly title: string;
  readonly lead?: string;
  /** 50 px more, for further ways to sign in. */
  readonly tall?: boolean;
  readonly children: ReactNode;
}

/** The card of the sign-in: at most 500 × 400 px (A8). */
export function Card({ title, lead, tall = false, children }: CardProps) {
  return (
    <div className={css['card']} data-tall={tall || undefined}>
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p className={css['lead']}>{lead}</p>}
      </div>
      {children}
    </div>
  );
}

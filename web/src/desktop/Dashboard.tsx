import type { ReactNode } from 'react';
import css from './Dashboard.module.css';

export interface DashboardProps {
  readonly greeting: string;
  readonly lead?: ReactNode;
  /** The tiles as cards, then what the desk shows below them. */
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

/** The empty desk: a greeting and the way in. */
export function Dashboard({ greeting, lead, children, foot }: DashboardProps) {
  return (
    <div className={css['dashboard']}>
      <header className={css['head']}>
        <h1>{greeting}</h1>
        {lead !== undefined && <p>{lead}</p>}
      </header>
      {children}
      {foot !== undefined && <p className={css['foot']}>{foot}</p>}
    </div>
  );
}

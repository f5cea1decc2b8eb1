import type { ReactNode } from 'react';
import { DeskPrint } from '#kit/layout/DeskPrint.tsx';
import { Brand } from './Brand.tsx';
import css from './Dashboard.module.css';
import desk from './Desktop.module.css';
import toolbar from './Toolbar.module.css';

interface DashboardProps {
  readonly greeting: string;
  readonly lead?: ReactNode;
  /** The tiles as cards, then what the desk shows below them. */
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

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

interface DeskOpeningProps extends Pick<DashboardProps, 'greeting' | 'lead'> {
  /** What is being waited for; for those who do not see it. */
  readonly label: string;
}

/** The empty desk as far as it is known before its owner is: what comes later comes around it, and nothing jumps. */
export function DeskOpening({ greeting, lead, label }: DeskOpeningProps) {
  return (
    <div className={desk['desk']}>
      <DeskPrint place="corner" />
      <div className={desk['toolbar']}>
        <header className={toolbar['toolbar']}>
          <Brand />
        </header>
      </div>
      <main className={desk['surface']} aria-busy="true">
        <div className={desk['dashboard']}>
          <Dashboard greeting={greeting} lead={lead}>
            <p className="visually-hidden" role="status">
              {label}
            </p>
          </Dashboard>
        </div>
      </main>
    </div>
  );
}

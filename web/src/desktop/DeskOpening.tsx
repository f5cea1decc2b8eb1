import { DeskPrint } from '#kit/layout/DeskPrint.tsx';
import { Brand } from './Brand.tsx';
import { Dashboard, type DashboardProps } from './Dashboard.tsx';
import css from './Desktop.module.css';
import toolbar from './Toolbar.module.css';

interface DeskOpeningProps extends Pick<DashboardProps, 'greeting' | 'lead'> {
  /** What is being waited for; for those who do not see it. */
  readonly label: string;
}

/** The empty desk as far as it is known before its owner is: what comes later comes around it, and nothing jumps. */
export function DeskOpening({ greeting, lead, label }: DeskOpeningProps) {
  return (
    <div className={css['desk']}>
      <DeskPrint place="corner" />
      <div className={css['toolbar']}>
        <header className={toolbar['toolbar']}>
          <Brand />
        </header>
      </div>
      <main className={css['surface']} aria-busy="true">
        <div className={css['dashboard']}>
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

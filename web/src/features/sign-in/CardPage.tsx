import css from './CardPage.module.css';
import { PublicFrame, type PublicFrameProps } from './PublicFrame.tsx';

interface CardPageProps extends Pick<PublicFrameProps, 'title' | 'here' | 'children'> {
  readonly lead?: string;
  /** 50 px more, for further ways to sign in. */
  readonly tall?: boolean;
}

/** A page that is one card, of at most 500 × 400 px (A8). */
export function CardPage({ title, here, lead, tall = false, children }: CardPageProps) {
  return (
    <PublicFrame title={title} here={here}>
      <div className={css['card']} data-tall={tall || undefined}>
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className={css['lead']}>{lead}</p>}
        </div>
        {children}
      </div>
    </PublicFrame>
  );
}

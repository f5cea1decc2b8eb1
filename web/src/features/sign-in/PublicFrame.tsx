import { useEffect, type ReactNode } from 'react';
import { DeskPrint } from '#kit/DeskPrint.tsx';
import { t } from '#platform/language.ts';
import { Brand } from './Brand.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import css from './PublicFrame.module.css';

interface PublicFrameProps {
  /** Names the page in the browser. */
  readonly title: string;
  /** A further control at the end of the header. */
  readonly action?: ReactNode;
  /** `card`: one card on the print; `page`: a page that begins at the top, under a header of paper. */
  readonly layout?: 'card' | 'page';
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** What every page before the sign-in shares: header, print, foot. */
export function PublicFrame({ title, action, layout = 'card', foot, children }: PublicFrameProps) {
  useEffect(() => {
    document.title = `${title} · ${t('brand.product')}`;
  }, [title]);
  return (
    <div className={css['frame']} data-layout={layout}>
      <DeskPrint place={layout === 'card' ? 'centre' : 'corner'} />
      <header className={css['header']}>
        <Brand />
        <div className={css['controls']}>
          <LanguageSwitch />
          {action}
        </div>
      </header>
      <main className={css['main']}>{children}</main>
      {foot !== undefined && <footer className={css['footer']}>{foot}</footer>}
    </div>
  );
}

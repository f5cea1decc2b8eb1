import { useEffect, type ReactNode } from 'react';
import { Brand } from '#desktop/Brand.tsx';
import { DeskPrint } from '#kit/DeskPrint.tsx';
import { usePhone } from '#kit/usePhone.ts';
import { brand } from '#platform/brand.ts';
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
  // Beside a further control the switch has no room on a phone.
  const switchBelow = usePhone() && action !== undefined;
  useEffect(() => {
    document.title = `${title} · ${brand().name}`;
  }, [title]);
  return (
    <div className={css['frame']} data-layout={layout}>
      <DeskPrint place={layout === 'card' ? 'centre' : 'corner'} />
      <header className={css['header']}>
        <Brand {...brand()} />
        <div className={css['controls']}>
          {!switchBelow && <LanguageSwitch />}
          {action}
        </div>
      </header>
      <main className={css['main']}>{children}</main>
      {(foot !== undefined || switchBelow) && (
        <footer className={css['footer']}>
          {foot}
          {switchBelow && <LanguageSwitch />}
        </footer>
      )}
    </div>
  );
}

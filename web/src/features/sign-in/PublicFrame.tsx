import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Brand } from '#desktop/Brand.tsx';
import { DeskPrint } from '#kit/layout/DeskPrint.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';
import { brand } from '#platform/brand.ts';
import { capitalize, changeLanguage, currentLanguage, t } from '#platform/language.ts';
import css from './PublicFrame.module.css';

/** Public pages. Those with an icon stand in the header where there is room, the others in the foot. */
const ways = [
  { href: '/login', label: 'publicView.title', icon: 'bank' },
  { href: '/verify', label: 'verify.title', icon: 'seal-check' },
  { href: '/accessibility', label: 'accessibility.title', icon: undefined },
] as const;

export interface PublicFrameProps {
  readonly title: string;
  readonly action?: ReactNode;
  /** `card`: one card on the print; `page`: a page that begins at the top, under a header of paper. */
  readonly layout?: 'card' | 'page';
  /** The page's own address: the ways to the others are shown. Left out: none, as on the way through a sign-in. */
  readonly here?: '/login-ex' | (typeof ways)[number]['href'] | undefined;
  readonly children: ReactNode;
}

/** What every page before the sign-in shares: header, print, foot. */
export function PublicFrame({ title, action, layout = 'card', here, children }: PublicFrameProps) {
  const phone = usePhone();
  // Beside a further control the switch has no room on a phone.
  const switchBelow = phone && action !== undefined;
  const others = here === undefined ? [] : ways.filter(({ href }) => href !== here);
  const above = layout === 'page' && !phone ? others.filter(({ icon }) => icon) : [];
  const below = others.filter((way) => !above.includes(way));
  useEffect(() => {
    document.title = `${capitalize(title)} · ${brand().name}`;
  }, [title]);
  return (
    <div className={css['frame']} data-layout={layout}>
      <DeskPrint place={layout === 'card' ? 'centre' : 'corner'} />
      <header className={css['header']}>
        <Brand />
        <div className={css['controls']}>
          {above.map(({ href, label, icon }) => (
            <Link key={href} href={href}>
              {icon && <Icon name={icon} />}
              <span>{t(label)}</span>
            </Link>
          ))}
          {!switchBelow && <LanguageSwitch />}
          {action}
        </div>
      </header>
      <main className={css['main']}>{children}</main>
      {(below.length > 0 || switchBelow) && (
        <footer className={css['footer']}>
          {below.map(({ href, label }) => (
            <Link key={href} href={href}>
              {t(label)}
            </Link>
          ))}
          {switchBelow && <LanguageSwitch />}
        </footer>
      )}
    </div>
  );
}

/** The languages of the portal, each in its own words; choosing one loads the page anew. */
function LanguageSwitch() {
  // Told with the sentences, a line each: `PL Polski`.
  const languages = Array.from(t('brand.languages').split('\n'), (line) => line.split(' '));
  return (
    <div className={css['languages']} role="group" aria-label={t('language.switch')}>
      {languages.map(([language = '', ...name]) => (
        <button
          key={language}
          type="button"
          lang={language.toLowerCase()}
          aria-pressed={language === currentLanguage()}
          onClick={() => changeLanguage(language)}
        >
          {name.join(' ')}
        </button>
      ))}
    </div>
  );
}

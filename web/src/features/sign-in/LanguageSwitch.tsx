import { changeLanguage, currentLanguage, t } from '#platform/language.ts';
import css from './LanguageSwitch.module.css';

/** Told with the sentences, a line each: `PL Polski`. */
const offered = (): string[][] =>
  t('brand.languages')
    .split('\n')
    .map((line) => line.split(' '));

/** The languages of the portal, each in its own words; choosing one loads the page anew. */
export function LanguageSwitch() {
  return (
    <div className={css['segments']} role="group" aria-label={t('language.switch')}>
      {offered().map(([language = '', ...name]) => (
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

import type { LanguageCode, ProductLanguage } from '@pergamin/contract';
import { changeLanguage, currentLanguage, t } from '#platform/language.ts';
import css from './LanguageSwitch.module.css';

const names: Record<ProductLanguage, 'language.pl' | 'language.en'> = { PL: 'language.pl', EN: 'language.en' };

/** Both languages, each in its own words; choosing one loads the page anew. */
export function LanguageSwitch({ onChange = changeLanguage }: { readonly onChange?: (language: LanguageCode) => void }) {
  return (
    <div className={css['segments']} role="group" aria-label={t('language.switch')}>
      {(['PL', 'EN'] as const).map((language) => (
        <button
          key={language}
          type="button"
          lang={language.toLowerCase()}
          aria-pressed={language === currentLanguage()}
          onClick={() => onChange(language)}
        >
          {t(names[language])}
        </button>
      ))}
    </div>
  );
}

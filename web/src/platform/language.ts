import { getTranslations, languageCode, pathOf, sessionStorageKeys, type LanguageCode } from '@pergamin/contract';
import { createInstance } from 'i18next';
import type { TranslationKey } from './translation-key.ts';

export type { TranslationKey } from './translation-key.ts';
export type { LanguageCode } from '@pergamin/contract';

/** The sentences of one language, key → sentence in i18next syntax. */
export type Sentences = Readonly<Record<string, string>>;

const defaultLanguage: LanguageCode = 'PL';
const copyKey = (language: LanguageCode) => `sentences-${language}`;
const i18n = createInstance();

/** The language of this page. It never changes while the page lives: choosing another one loads the page anew (L1). */
export const currentLanguage = (): LanguageCode => {
  const stored = languageCode.safeParse(sessionStorage.getItem(sessionStorageKeys.language));
  return stored.success ? stored.data : defaultLanguage;
};

/** A BCP 47 tag for `lang` attributes and `Intl`. */
export const languageTag = (language: LanguageCode = currentLanguage()): string => language.toLowerCase();

/** A sentence of the catalogue. `count` chooses the plural form and may be written in the sentence as `{{count}}`. */
export const t = (key: TranslationKey, values?: Readonly<Record<string, string | number>>): string => i18n.t(key, { ...values });

/** Whether the catalogue has a sentence for a key that is only known at run time. */
export const hasSentence = (key: string): key is TranslationKey => i18n.exists(key);

/** Keeps the choice and loads the page anew; the language already spoken does nothing. */
export const changeLanguage = (language: LanguageCode, reload: () => void = () => location.reload()): void => {
  if (language === currentLanguage()) return;
  sessionStorage.setItem(sessionStorageKeys.language, language);
  reload();
};

/** Makes `t` speak: called once before the first render, and by tests. */
export const speak = async (language: LanguageCode, sentences: Sentences): Promise<void> => {
  const tag = languageTag(language);
  await i18n.init({
    lng: tag,
    resources: { [tag]: { translation: { ...sentences } } },
    // Keys are flat; a dot or a colon is part of the name.
    keySeparator: false,
    nsSeparator: false,
    fallbackLng: false,
    // React escapes; doing it twice would show entities.
    interpolation: { escapeValue: false },
  });
  document.documentElement.lang = tag;
};

/**
 * Fetches the sentences of the chosen language. When the server cannot be reached, the last good copy of this browser session is used;
 * without one the failure is thrown.
 */
export const loadLanguage = async (): Promise<void> => {
  const language = currentLanguage();
  await speak(language, await fetchSentences(language).catch((cause: unknown) => keptSentences(language, cause)));
};

const fetchSentences = async (language: LanguageCode): Promise<Sentences> => {
  const response = await fetch(pathOf(getTranslations, { query: { lang: language } }), { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`The sentences were answered with ${response.status}`);
  const text = await response.text();
  const sentences = readSentences(text);
  try {
    sessionStorage.setItem(copyKey(language), text);
  } catch {
    // A full storage only costs the spare copy.
  }
  return sentences;
};

const keptSentences = (language: LanguageCode, cause: unknown): Sentences => {
  const kept = sessionStorage.getItem(copyKey(language));
  if (kept === null) throw cause;
  return readSentences(kept);
};

const readSentences = (text: string): Sentences => getTranslations.answer.parse(JSON.parse(text));

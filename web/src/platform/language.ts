import { getTranslations, languageCode, pathOf, sessionStorageKeys, type LanguageCode } from '@pergamin/contract';
import { createInstance } from 'i18next';
import { findChosenLanguage, forgetChosenLanguage, keepChosenLanguage } from './chosen-language.ts';
import type english from '../../../languages/en.json';

/** Every sentence by its key; counted sentences without their plural suffix. The English catalogue is the list of keys. */
export type TranslationKey = keyof typeof english extends infer K ? (K extends `${infer Base}_${'one' | 'other'}` ? Base : K) : never;

/** The sentences of one language, key → sentence in i18next syntax. */
export type Sentences = Readonly<Record<string, string>>;

const defaultLanguage: LanguageCode = 'PL';
/** Holds the last good answer of each language, by its address. Not local storage, which keeps nothing but the statute flag (B18). */
const copiesName = 'sentences';
const i18n = createInstance();

/** The language of this page. It never changes while the page lives: choosing another one loads the page anew (L1). */
export const currentLanguage = (): LanguageCode => {
  const stored = languageCode.safeParse(sessionStorage.getItem(sessionStorageKeys.language));
  return stored.success ? stored.data : defaultLanguage;
};

/** A BCP 47 tag for `lang` attributes and `Intl`. */
export const languageTag = (language: LanguageCode = currentLanguage()): string => language.toLowerCase();

/** A text that stands inside a line elsewhere, as a title. */
export const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase(languageTag()) + text.slice(1);

/** A sentence of the catalogue. `count` chooses the plural form and may be written in the sentence as `{{count}}`. */
export const t = (key: TranslationKey, values: Readonly<Record<string, string | number>> = {}): string => {
  const [[name, value] = ['', ''], ...others] = Object.entries(values);
  if (typeof value === 'number' || others.length > 0) return i18n.t(key, { ...values });
  const parts = said.get(key) ?? i18n.t(key, { [name]: place }).split(place);
  said.set(key, parts);
  return parts.join(value);
};

/** Stands for the value while the sentence is looked up; in no sentence otherwise. */
const place = '\u0000';

/** Sentences before and after their only value, looked up once: a table says some of them a hundred times. */
const said = new Map<TranslationKey, readonly string[]>();

/** Whether the catalogue has a sentence for a key that is only known at run time. */
export const hasSentence = (key: string): key is TranslationKey => i18n.exists(key);

const loadAnew = (): void => location.reload();

/** Keeps the choice, for every tab of this browser, and loads the page anew; the language already spoken is only kept. */
export const changeLanguage = (language: LanguageCode, reload: () => void = loadAnew): void => {
  keepChosenLanguage(language);
  speakRecorded(language, reload);
};

/** Has this tab speak a language that was not chosen here; the language already spoken does nothing. */
export const speakRecorded = (language: LanguageCode, reload: () => void = loadAnew): void => {
  if (language === currentLanguage()) return;
  sessionStorage.setItem(sessionStorageKeys.language, language);
  reload();
};

/** Whether another language was chosen since this page was loaded: in another tab, or on the pages of the sign-in. */
export const isOtherLanguageChosen = (): boolean => {
  const chosen = findChosenLanguage();
  return chosen !== undefined && chosen !== currentLanguage();
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
  said.clear();
  document.documentElement.lang = tag;
};

/** Whether the page speaks by the copy that an earlier visit left here. */
export const speaksByCopy = (): boolean => byCopy;
let byCopy = false;

/** Fetches the sentences of the chosen language, else of the portal's own; without a good answer takes the last copy, and throws without one. */
export const loadLanguage = async (): Promise<void> => {
  const chosen = findChosenLanguage();
  if (chosen !== undefined) sessionStorage.setItem(sessionStorageKeys.language, chosen);
  const language = currentLanguage();
  const path = pathOf(getTranslations, { query: { lang: language } });
  const response = await fetch(path, { credentials: 'same-origin' }).catch(() => undefined);
  if (language !== defaultLanguage && (response?.status === 400 || response?.status === 404)) {
    sessionStorage.removeItem(sessionStorageKeys.language);
    forgetChosenLanguage();
    return loadLanguage();
  }
  const fresh = response?.ok ? await sentencesIn(response.clone()) : undefined;
  byCopy = fresh === undefined;
  const sentences = fresh ?? (await sentencesIn(await copies()?.then((kept) => kept.match(path))));
  if (sentences === undefined) throw new Error(`No sentences: ${response?.status ?? 'no answer'}`);
  await speak(language, sentences);
  if (fresh !== undefined && response !== undefined) void keepCopy(path, response);
};

/** Only where the connection is safe, as the browser wants it. */
const copies = (): Promise<Cache> | undefined => ('caches' in globalThis ? caches.open(copiesName) : undefined);

const sentencesIn = async (response: Response | undefined): Promise<Sentences | undefined> =>
  getTranslations.answer.safeParse(await response?.json().catch(() => undefined)).data;

/** The spare copy is written when it is another one; a full storage costs nothing but the copy. */
const keepCopy = async (path: string, response: Response): Promise<void> => {
  try {
    const kept = await copies();
    const old = await kept?.match(path);
    const etag = response.headers.get('etag');
    if (etag === null || old?.headers.get('etag') !== etag) await kept?.put(path, response);
  } catch {
    // Nothing depends on it now.
  }
};

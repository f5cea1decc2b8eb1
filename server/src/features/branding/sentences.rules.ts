/** Key → sentence in i18next syntax. */
export type Sentences = Readonly<Record<string, string>>;

/** The name of the language in itself. */
export const nameKey = 'language.name';

/** Sent beside the sentences, so that the first page needs no further call: a line for each language, `PL Polski`. */
export const languagesKey = 'brand.languages';

/** What the portal itself puts in their place. */
const factOf: Sentences = {
  'brand.organisation': 'the setting ORGANISATION_NAME',
  'brand.timeZone': 'the setting TIME_ZONE',
  [languagesKey]: 'made of the names of the languages',
};

const maxLength = 4_000;
const pluralSuffix = /_(zero|one|two|few|many|other)$/;
const allForms = ['one', 'two', 'few', 'many', 'other'];

const baseOf = (key: string): string => key.replace(pluralSuffix, '');

const placeholdersIn = (sentence: string): Set<string> =>
  new Set([...sentence.matchAll(/\{\{\s*(?:-\s*)?([\w.]+)/g)].map(([, name = '']) => name));

/** The placeholders of a key; of one in several plural forms those of all forms, since 'one document' may leave its number out. */
const placeholdersOf = (sentences: Sentences, key: string): Set<string> => {
  const forms = [key, ...[...allForms, 'zero'].map((form) => `${baseOf(key)}_${form}`)];
  return new Set(forms.flatMap((form) => [...placeholdersIn(sentences[form] ?? '')]));
};

const isPlural = (sentences: Sentences, base: string): boolean => Object.hasOwn(sentences, `${base}_other`);

const isKnown = (product: Sentences, key: string): boolean =>
  Object.hasOwn(product, key) || (pluralSuffix.test(key) && isPlural(product, baseOf(key)));

const said = (names: Iterable<string>): string => [...names].map((name) => `{{${name}}}`).join(' ') || 'none';

/** By key: the placeholders that a sentence may have. None of them has to be there. */
export type FreeSentences = ReadonlyMap<string, readonly string[]>;

const faultOf = (
  { product, free }: Required<Omit<Laid, 'own'>>,
  { key, sentence }: { key: string; sentence: unknown },
): string | undefined => {
  if (Object.hasOwn(factOf, key)) return `is ${factOf[key]}`;
  if (!isKnown(product, key)) return 'is no sentence of the product';
  if (typeof sentence !== 'string' || sentence.trim() === '') return 'is not a text';
  if (key === nameKey && !/^[^\n]{1,30}$/.test(sentence)) return 'is a name on one line, of up to 30 characters';
  if (sentence.length > maxLength) return `has more than ${maxLength} characters`;
  // Line ends are the only control characters that mean anything in a sentence.
  if (!sentence.isWellFormed() || /[^\P{Cc}\n]/u.test(sentence)) return 'holds characters that are no text';
  if (sentence.includes('$t(')) return 'refers to another sentence, which is not done';
  const given = placeholdersIn(sentence);
  const allowed = free.get(key);
  if (allowed !== undefined) {
    const unknown = given.difference(new Set(allowed));
    return unknown.size === 0 ? undefined : `may have the placeholders ${said(allowed)}, and has ${said(unknown)}`;
  }
  const wanted = placeholdersOf(product, key);
  // A plural form may write the number as a word.
  const optional = pluralSuffix.test(key) ? new Set(['count']) : new Set<string>();
  if (given.difference(wanted).size === 0 && wanted.difference(given).difference(optional).size === 0) return undefined;
  return `must have the placeholders ${said(wanted)}, and has ${said(given)}`;
};

interface Laid {
  readonly product: Sentences;
  readonly own: Readonly<Record<string, unknown>>;
  readonly free?: FreeSentences;
}

/** What is wrong with the sentences that an installation lays over the product's: key by key, in words. Empty: nothing. */
export const findFaults = ({ product, own, free = new Map() }: Laid): string[] =>
  Object.entries(own).flatMap(([key, sentence]) => {
    const fault = faultOf({ product, free }, { key, sentence });
    return fault === undefined ? [] : [`${JSON.stringify(key)} ${fault}`];
  });

/**
 * A language that the product does not bring: what it lacks is said in the language it is laid over. A sentence that it has in some plural
 * forms only is said in its own `_other` for the rest, or the two languages would mix within one list.
 */
export const completeLanguage = (fallback: Sentences, own: Sentences): Sentences => {
  const whole: Record<string, string> = { ...fallback, ...own };
  for (const other of Object.keys(fallback).filter((key) => key.endsWith('_other'))) {
    const ownOther = own[other];
    for (const form of allForms) {
      const key = `${baseOf(other)}_${form}`;
      if (own[key] === undefined && (ownOther !== undefined || fallback[key] === undefined)) whole[key] = ownOther ?? fallback[other] ?? '';
    }
  }
  return whole;
};

import { t, type TranslationKey } from './language.ts';

/** Stands for the value while the sentence is looked up; in no sentence otherwise. */
const place = '\u0000';

/** What a sentence of the catalogue says before one of its values, and after it. */
export const partsAround = (key: TranslationKey, valueName: string, values: Readonly<Record<string, string>> = {}): readonly string[] =>
  t(key, { ...values, [valueName]: place }).split(place);

/** A sentence of the catalogue around one value, for the many rows of a table: looked up and taken apart once, not for each of them. */
export const sentenceAround = (key: TranslationKey, valueName = 'name'): ((value: string) => string) => {
  const parts = partsAround(key, valueName);
  return (value) => parts.join(value);
};

import { t, type TranslationKey } from '#platform/language.ts';

/** Stands for the value while the sentence is looked up; in no sentence otherwise. */
const place = '\u0000';

/** A sentence of the catalogue around one value, for the many rows of a table: looked up and taken apart once, not for each of them. */
export const sentenceAround = (key: TranslationKey, valueName = 'name'): ((value: string) => string) => {
  const parts = t(key, { [valueName]: place }).split(place);
  return (value) => parts.join(value);
};

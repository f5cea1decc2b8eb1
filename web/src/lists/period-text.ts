import type { Period } from '@pergamin/contract';
import { hasSentence, t } from '#platform/language.ts';

/** A period by its name; a specific year is its number (D15). */
export const periodText = (period: Period): string => {
  const key = `period.${period}`;
  return hasSentence(key) ? t(key) : period.slice('CALC_'.length);
};

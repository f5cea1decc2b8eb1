import type { Period } from '@pergamin/contract';
import { t } from '#platform/language.ts';

/** A period by its name; a specific year is its number (D15). */
export const periodText = (period: Period): string => {
  switch (period) {
    case 'EMPTY':
      return t('period.EMPTY');
    case 'CURRENT_MONTH':
      return t('period.CURRENT_MONTH');
    case 'LAST_3_MONTHS':
      return t('period.LAST_3_MONTHS');
    case 'LAST_6_MONTHS':
      return t('period.LAST_6_MONTHS');
    case 'CURRENT_YEAR':
      return t('period.CURRENT_YEAR');
    default:
      return period.slice('CALC_'.length);
  }
};

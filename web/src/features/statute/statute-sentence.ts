import { isForbidden, sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';

/** In the statute a bare 403 means that its bytes are not those that were published (Q0). */
export const statuteSentence = (error: unknown): string => (isForbidden(error) ? t('statute.checksumMismatch') : sentenceOf(error));

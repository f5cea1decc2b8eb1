import { CallError } from '#platform/api.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';

/** In the statute a bare 403 means that its bytes are not those that were published (Q0). */
export const statuteSentence = (error: unknown): string =>
  error instanceof CallError && error.status === 403 && error.code !== 'CALL_NOT_PERMITTED'
    ? t('statute.checksumMismatch')
    : sentenceOf(error);

import { CallError } from '#platform/api.ts';
import { durationText, sentenceOf } from '#platform/errors.ts';
import { t, type TranslationKey } from '#platform/language.ts';

/** Of DOCUMENT_UPLOAD_ERROR the message has the reason, in English words. */
const reasons: readonly (readonly [RegExp, TranslationKey])[] = [
  [/password/i, 'sending.refusedEncrypted'],
  [/infected/i, 'sending.refusedInfected'],
  [/too many pages/i, 'sending.refusedTooLong'],
  [/broken|could not be (?:read|inspected)/i, 'sending.refusedBroken'],
  [/holds/i, 'sending.refusedContent'],
];

/** Why a file was not sent, and what can be done about it. */
export const refusalSentence = (error: unknown): string => {
  if (!(error instanceof CallError)) return sentenceOf(error);
  if (error.status === 429 && /session/i.test(error.message)) return t('sending.sessionIsFull');
  if (error.status === 429 && error.code === 'CALL_NOT_PERMITTED')
    return error.retryAfterMs === undefined
      ? t('sending.dayIsFull')
      : t('sending.dayIsFullFor', { time: durationText(error.retryAfterMs) });
  if (error.code === 'VALIDATION_ERROR' && error.fields?.['typeId'] !== undefined) return t('sending.refusedType');
  if (error.code !== 'DOCUMENT_UPLOAD_ERROR') return sentenceOf(error);
  const reason = reasons.find(([words]) => words.test(error.message));
  return reason === undefined ? sentenceOf(error) : t(reason[1]);
};

const passing = [0, 401, 403, 408, 429];

/** Whether another try may go better: not where the file itself was refused. */
export const mayRetry = (error: unknown): boolean =>
  !(error instanceof CallError) || (error.code !== 'DOCUMENT_UPLOAD_ERROR' && (passing.includes(error.status) || error.status >= 500));

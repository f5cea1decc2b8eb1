import { isSilent } from '@pergamin/contract';
import { CallError } from './api.ts';
import { emit } from './events.ts';
import { hasSentence, t } from './language.ts';

/** The sentence for a failed call: by the code first, by the status only when there is none (Q1, Q4). Never empty. */
export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof CallError)) return t('error.default');
  if (error.status === 0) return t('error.network');
  if (error.status === 429 && error.retryAfterMs !== undefined)
    return t('error.tooManyAttempts', { time: durationText(error.retryAfterMs) });
  if (error.status === 401 && error.hadToken) return t('session.noLongerActive');
  if (error.rawCode === undefined) return t('error.default');
  const key = `code.${error.code === 'RENDER_ERROR' ? 'INTERNAL_SERVER_ERROR' : error.rawCode}`;
  return hasSentence(key) ? t(key) : error.rawCode;
};

/** Shows a failure at the top of the page, unless it was aborted, has a silent code, or is the end of the session or the statute. */
export const alertError = (error: unknown): void => {
  if (!isQuiet(error)) emit('alert', { tone: 'error', title: sentenceOf(error) });
};

/** 404 in any of its forms: a viewer says 'Document not found' then (F7). */
export const isNotFound = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 404 || error.code === 'DOCUMENT_NOT_FOUND_ERROR' || error.code === 'RESOURCE_NOT_FOUND');

/** The pages that the server has no mark of, as `2–4, 7`; undefined for any other failure. */
export const pagesMissingIn = (error: unknown): string | undefined =>
  error instanceof CallError && error.code === 'INVALID_STATUS' ? error.fields?.['pages']?.replaceAll('-', '–') : undefined;

/** 403 of the document itself: of a check it means that the checksum is not the registered one (Q0). */
export const isForbidden = (error: unknown): error is CallError =>
  error instanceof CallError && error.status === 403 && error.code !== 'CALL_NOT_PERMITTED';

/** A wait in words, rounded up: seconds below two minutes, minutes above. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return seconds < 120 ? t('duration.seconds', { count: seconds }) : t('duration.minutes', { count: Math.ceil(seconds / 60) });
};

const isQuiet = (error: unknown): boolean => {
  if (!(error instanceof CallError)) return error instanceof DOMException && error.name === 'AbortError';
  if (error.status === 401 || (error.status === 403 && error.code === 'CALL_NOT_PERMITTED')) return true;
  return error.code !== undefined && isSilent(error.code);
};

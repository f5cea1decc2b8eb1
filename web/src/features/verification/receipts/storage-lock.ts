import { type DocumentLock, getDocumentLock, getSentLock } from '@pergamin/contract';
import type { Statement } from '@pergamin/ledger';
import { call } from '#platform/api.ts';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { currentToken } from '#platform/session-token.ts';

/** A sheet is printed without it rather than late. */
const withinMs = 2_000;

/** What keeps the stored bytes of one document from being removed; undefined: the store was not asked, or gave no answer. */
export type StorageLock = DocumentLock['lock'] | undefined;

/** Asks for this document, and for no other: what the storage does with another one says nothing of it. */
export const findStorageLock = async ({ documentId: id, event }: Pick<Statement, 'documentId' | 'event'>): Promise<StorageLock> => {
  const isSent = event === 'RECEIVED';
  if (isSent && currentToken() === undefined) return undefined;
  try {
    return (await call(isSent ? getSentLock : getDocumentLock, { params: { id }, signal: AbortSignal.timeout(withinMs) })).lock;
  } catch {
    // Offline, or not signed in as somebody who may know of it: the verification itself needs neither.
    return undefined;
  }
};

export const storageText = (lock: StorageLock): string => {
  if (lock === undefined) return t('certificate.storage.unknown');
  return lock === null ? t('certificate.storage.none') : t(`certificate.storage.${lock.mode}`, { until: momentText(lock.until) });
};

import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { isAsPublished } from './checks.rules.ts';
import type { OwnDocument } from '#features/documents/own-documents.store.ts';

/**
 * G8, D18: a document that is damaged, or differs from its publication in content or owner, is neither shown nor handed out, and an alarm is logged.
 * The bytes themselves are compared when they are read.
 */
export const isSound = (document: OwnDocument, log: Log): boolean => {
  if (document.corrupted) return false;
  const { id, principals, registered } = document;
  if (isAsPublished({ live: document, registered, principals })) return true;
  log.error({ alarm: 'check', documentId: id }, 'a document differs from its publication; it is neither shown nor handed out');
  return false;
};

/** Throws STORAGE_ERROR instead of handing on what is not sound. */
export const assertSound = (document: OwnDocument, log: Log): OwnDocument => {
  if (!isSound(document, log)) throw new PortalError('STORAGE_ERROR', { cause: new Error(`document ${document.id} is not sound`) });
  return document;
};

import type { CheckStatus, DocumentDetails } from '@pergamin/contract';
import { CallError } from '#platform/api.ts';
import type { CheckDetail } from '#platform/check-words.ts';
import { newsOfCheck } from '#platform/document-rows.ts';
import { isForbidden, isNotFound } from '#platform/errors.ts';

/** Why a document is not shown. */
export type Refusal =
  /** It is not there, not for this client, or was deleted. */
  | { readonly kind: 'notFound' | 'deleted' | 'forbidden' }
  /** The verification before opening did not succeed: nothing is shown or downloaded (G8). */
  | {
      readonly kind: 'notVerified';
      readonly status: Exclude<CheckStatus, 'SHA_CIF_OK' | 'DOCUMENT_NOT_EXIST'>;
      readonly detail: CheckDetail;
    }
  /** It could not be checked, loaded or rendered just now. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** What the verification says against opening; undefined when it says nothing. */
export const refusalOfCheck = ({ status, ...detail }: CheckDetail & { readonly status: CheckStatus }): Refusal | undefined => {
  if (status === 'SHA_CIF_OK') return undefined;
  return status === 'DOCUMENT_NOT_EXIST' ? { kind: 'deleted' } : { kind: 'notVerified', status, detail };
};

export const refusalOfDocument = ({ state, deleted }: Pick<DocumentDetails, 'state' | 'deleted'>): Refusal | undefined =>
  deleted || state === 'DELETED' || state === 'FORGOTTEN' ? { kind: 'deleted' } : undefined;

/** The bytes alone were looked at. */
export const nothingSaid: CheckDetail = { entry: null, differences: [], notCompared: [] };

/** A failed check: 403 means that the checksum is not the registered one (Q0). */
export const refusalOfCheckError = (error: unknown): Refusal => {
  if (isNotFound(error)) return { kind: 'notFound' };
  return isForbidden(error) ? { kind: 'notVerified', status: 'SHA_NOT_EQUAL', detail: nothingSaid } : { kind: 'failed', error };
};

/** A failed load or rendering (F7). */
export const refusalOfError = (error: unknown): Refusal => {
  if (isNotFound(error)) return { kind: 'notFound' };
  return isForbidden(error) ? { kind: 'forbidden' } : { kind: 'failed', error };
};

/** What lists are to be told: of a damaged document, or of one that is gone or that the storage refused, which they should ask about. */
export const newsOfRefusal = (refusal: Refusal): 'documentDamaged' | 'documentUpdated' | undefined => {
  if (refusal.kind === 'deleted' || refusal.kind === 'notFound') return 'documentUpdated';
  if (refusal.kind === 'notVerified') return newsOfCheck({ status: refusal.status, ...refusal.detail });
  const isStored = !(refusal.kind === 'failed' && refusal.error instanceof CallError && refusal.error.code === 'STORAGE_ERROR');
  return isStored ? undefined : 'documentUpdated';
};

import type { Readable } from 'node:stream';
import type { DocumentsParts } from '#features/documents/parts.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { ByteRange } from '#platform/http/byte-range.ts';
import { verifiedBytes, type Expected } from '#platform/objects/verified-bytes.ts';
import { setCorrupted } from './checks.store.ts';

interface StoredDocument extends Expected {
  readonly id: string;
  readonly object_key: string;
  /** What was published decides; null only when the register lost it. */
  readonly registered: Expected | null;
}

interface Passed {
  /** Left out: all of it. */
  readonly range?: ByteRange | undefined;
  readonly beforeLast?: (() => Promise<void>) | undefined;
}

/**
 * The bytes of a document as they were published, or a range of them; all of it is read and hashed on the way. When the stored ones differ, the stream ends early with
 * STORAGE_ERROR, the document is marked as corrupted and an alarm is logged (D18).
 */
export const openVerified = async (
  { db, objects, log }: Pick<DocumentsParts, 'db' | 'objects' | 'log'>,
  document: StoredDocument,
  { range, beforeLast }: Passed = {},
): Promise<Readable> => {
  const { id, object_key: objectKey } = document;
  const { sha256, size } = document.registered ?? document;
  return verifiedBytes(await objects.open(objectKey), {
    sha256,
    size,
    range,
    beforeLast,
    async onWrong(found) {
      log.error({ alarm: 'corrupted', documentId: id, found, expected: { sha256, size } }, 'stored bytes are not those published');
      await setCorrupted(db, { id, corrupted: true });
      return new PortalError('STORAGE_ERROR', { cause: new Error(`document ${id} is corrupted`) });
    },
  });
};

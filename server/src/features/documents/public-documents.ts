import type { Readable } from 'node:stream';
import { checkLimits, type DocumentDetails } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ByteRange } from '#platform/http/byte-range.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { findReading, setCorrupted } from './checks.store.ts';
import { unpackPageSizes } from './documents.rules.ts';
import { openVerified } from './open-verified.ts';
import { everybody, findOwnDocuments, findPublicDocument, type OwnDocument } from './own-documents.store.ts';
import type { ReadAgain } from './readings.ts';
import { assertSound } from './sound.ts';
import { findVersions } from './successions.store.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'open'>;
  readonly readAgain: ReadAgain;
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: Log;
}

export interface PublicFile {
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string;
  /** All of it, hashed on the way: the last bytes follow only when the others were right. */
  open(): Promise<Readable>;
  /** A part, of bytes that were found right at most ten minutes ago; if nobody looked since, they are all read first. */
  openPart(range: ByteRange): Promise<Readable>;
}

/** Public documents for people without a session. Throws DOCUMENT_NOT_FOUND_ERROR for any other, and STORAGE_ERROR for a damaged one. */
export interface PublicDocuments {
  get(id: string): Promise<DocumentDetails>;
  getFile(id: string): Promise<PublicFile>;
}

export const createPublicDocuments = ({ db, objects, readAgain, metadata, clock, log }: Parts): PublicDocuments => {
  const get = async (id: string): Promise<OwnDocument> => {
    const document = await findPublicDocument(db, id);
    if (document === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    return document;
  };

  const requireSound = async ({ id, object_key: objectKey }: OwnDocument, sha256: string): Promise<void> => {
    const since = new Date(clock.now().getTime() - checkLimits.openingMayBeOldMs);
    const reading = (await findReading(db, { id, since })) ?? (await readAgain(id, objectKey));
    if (reading.sha256 === sha256) return;
    if (reading.sha256 !== undefined) await setCorrupted(db, { id, corrupted: true });
    log.error({ alarm: 'corrupted', documentId: id, found: reading.sha256, expected: sha256 }, 'stored bytes are not those published');
    throw new PortalError('STORAGE_ERROR', { cause: new Error(`document ${id} is corrupted`) });
  };

  return {
    async get(id) {
      const document = await get(id);
      const [definitions, versions] = await Promise.all([
        metadata.definitions(),
        findVersions(db, id, (ids) => findOwnDocuments(db, everybody, ids)),
      ]);
      return {
        ...versions,
        id: document.id,
        state: document.state,
        metadata: definitions.toMap(document, everybody),
        corrupted: document.corrupted,
        deleted: false,
        published: true,
        read: null,
        downloaded: null,
        pageCount: document.page_count,
        pageSizes: unpackPageSizes(document.page_sizes, document.page_count),
        pagesReached: [],
      };
    },

    async getFile(id) {
      const document = assertSound(await get(id), log);
      const { sha256, size } = document.registered ?? document;
      return {
        fileName: document.file_name,
        size,
        sha256,
        open: () => openVerified({ db, objects, log }, document),
        async openPart(range) {
          await requireSound(document, sha256);
          return objects.open(document.object_key, range);
        },
      };
    },
  };
};

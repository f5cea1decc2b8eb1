import type { Readable } from 'node:stream';
import { openVerified } from '#features/documents/checking/open-verified.ts';
import { isSound } from '#features/documents/checking/sound.ts';
import { findOwnDocuments, markOwnDocuments, type OwnDocument } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';

/** Many documents of a client at once, for rooms that hand them out together. */
export type OwnFiles = ReturnType<typeof createOwnFiles>;

export const createOwnFiles = ({ db, objects, clock, log }: Pick<DocumentsParts, 'db' | 'objects' | 'clock' | 'log'>) => {
  const find = async (caller: ClientCaller, ids: readonly string[]): Promise<OwnDocument[]> => {
    const found = new Map((await findOwnDocuments(db, caller, ids)).map((document) => [document.id, document]));
    return [...new Set(ids)].flatMap((id) => {
      const document = found.get(id);
      return document === undefined ? [] : { ...document, corrupted: !isSound(document, log) };
    });
  };
  return {
    /** In the order asked for, each once; those that are not the caller's are left out. */
    find,
    /** As `find`, but throws DOCUMENT_NOT_FOUND_ERROR when one of them is not the caller's, whichever and for whatever reason. */
    async get(caller: ClientCaller, ids: readonly string[]): Promise<OwnDocument[]> {
      const found = await find(caller, ids);
      if (found.length < new Set(ids).size) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
      return found;
    },
    /** The bytes as they were published; the stream fails with STORAGE_ERROR before its end when they are not (D18). */
    open: (document: OwnDocument): Promise<Readable> => openVerified({ db, objects, log }, document),
    /** D10: the first time is kept. */
    async markDownloaded(caller: ClientCaller, ids: readonly string[]): Promise<void> {
      await markOwnDocuments(db, caller, { ids, mark: 'downloaded_at', at: clock.now() });
    },
  };
};

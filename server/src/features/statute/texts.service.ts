import type { Readable } from 'node:stream';
import { calls, type StatuteDetails } from '@pergamin/contract';
import type { ShownPdf } from '#features/rendering/rendering.door.ts';
import type { Db } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { verifiedBytes } from '#platform/objects/verified-bytes.ts';
import { getStatute } from './statute.store.ts';

/** The texts of statutes are public, also of versions that come into force later. Every method throws RESOURCE_NOT_FOUND for an unknown id. */
export type StatuteTexts = ReturnType<typeof createStatuteTexts>;

interface Parts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'open'>;
  readonly log: Log;
}

export const createStatuteTexts = ({ db, objects, log }: Parts) => ({
  async get(id: string): Promise<StatuteDetails> {
    const { objectKey: _, effectiveFrom, ...statute } = await getStatute(db, id);
    return { ...statute, effectiveFrom: effectiveFrom.getTime() };
  },

  async getShown(id: string): Promise<ShownPdf> {
    const { objectKey, sha256, pageCount: pages } = await getStatute(db, id);
    return { id, objectKey, sha256, pages, imagePath: calls.getStatutePageImage.path };
  },

  async download(id: string): Promise<{ fileName: string; size: number; body: Readable }> {
    const { objectKey, sha256, size, version } = await getStatute(db, id);
    const body = verifiedBytes(await objects.open(objectKey), {
      sha256,
      size,
      async onWrong(found) {
        log.error({ alarm: 'corrupted', statuteId: id, found, expected: { sha256, size } }, 'stored bytes are not those published');
        return new PortalError('STORAGE_ERROR', { cause: new Error(`statute ${id} is corrupted`) });
      },
    });
    return { fileName: `statute-${version}`, size, body };
  },
});

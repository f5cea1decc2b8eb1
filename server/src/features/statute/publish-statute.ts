import { randomUUID } from 'node:crypto';
import { type AnswerOf, type calls, type StatutePublication, viewerLimits } from '@pergamin/contract';
import type { Rendering } from '#features/rendering/rendering.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { StoredObject } from '#platform/objects/objects.ts';
import type { PdfInspection } from '#platform/pdf/pdf-pool.ts';
import { getStatuteByVersion, insertStatute } from './statute.store.ts';
import type { VersionsInForce } from './versions-in-force.ts';
import { isWithdrawn } from './withdrawals.store.ts';

interface StatuteDraft {
  readonly description: StatutePublication;
  readonly object: StoredObject;
  readonly inspection: Pick<PdfInspection, 'pages' | 'sizes'>;
  readonly demo: boolean;
  /** Throws when the publisher may not publish any more. */
  readonly requireValid: (trx: Trx) => Promise<void>;
}

/** The same version with the same bytes is the first publication again; with other bytes, or after its withdrawal, RESOURCE_DUPLICATE. */
export type PublishStatute = (draft: StatuteDraft) => Promise<Omit<AnswerOf<typeof calls.publishStatute>, 'timeZone'>>;

interface Parts {
  readonly db: Db;
  readonly rendering: Pick<Rendering, 'prefetch'>;
  readonly versions: Pick<VersionsInForce, 'forget'>;
  readonly clock: Clock;
}

const duplicate = (problem: string): PortalError => new PortalError('RESOURCE_DUPLICATE', { fields: { version: problem } });

export const createPublishStatute =
  ({ db, rendering, versions, clock }: Parts): PublishStatute =>
  async ({ description: { version, effectiveFrom, changes }, object, inspection, demo, requireValid }) => {
    const now = clock.now();
    const draft = {
      id: randomUUID(),
      version,
      effectiveFrom: effectiveFrom === undefined ? now : new Date(effectiveFrom),
      changes: changes ?? null,
      objectKey: object.key,
      sha256: object.sha256,
      size: object.size,
      pageCount: inspection.pages,
      pageSizes: inspection.sizes,
      publishedAt: now,
      demo,
    };
    const isNew = await db.transaction().execute(async (trx) => {
      await requireValid(trx);
      return insertStatute(trx, draft);
    });
    const published = await getStatuteByVersion(db, version);
    if (published.demo !== demo) throw duplicate('published before, and only one of both was a demonstration');
    if (await isWithdrawn(db, published.id)) throw duplicate('withdrawn: publish under another version');
    if (published.sha256 !== object.sha256) throw duplicate('published before with other bytes');
    versions.forget();
    const { id, sha256, objectKey, pageCount: pages } = published;
    // C4: ahead of the first reader. The next poll draws what is missing.
    for (const width of viewerLimits.renderWidthsPx) rendering.prefetch({ objectKey, sha256, pages }, width);
    return { id, version, sha256, effectiveFrom: published.effectiveFrom.getTime(), repeated: !isNew };
  };

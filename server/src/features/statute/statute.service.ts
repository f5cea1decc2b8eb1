import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  viewerLimits,
  type PageText,
  type RenderResult,
  type StatuteDetails,
  type StatuteInForce,
  type StatutePublication,
} from '@pergamin/contract';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { renderFailure, renderResultOf, type Rendering } from '#features/rendering/rendering.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects, StoredObject } from '#platform/objects/objects.ts';
import { verifiedBytes } from '#platform/objects/verified-bytes.ts';
import type { PdfInspection } from '#platform/pdf/pdf-pool.ts';
import {
  findPagesReached,
  findStatute,
  findStatuteByVersion,
  hasAccepted,
  insertAcceptance,
  insertStatute,
  listVersions,
  markPage,
  type Statute,
  type StatuteVersion,
} from './statute.store.ts';
import { createVersionsInForce } from './versions-in-force.ts';

export interface StatuteParts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'open'>;
  readonly rendering: Pick<Rendering, 'prefetch' | 'poll' | 'openPage' | 'readPageText'>;
  readonly clock: Clock;
  readonly log: Log;
}

type Image = NonNullable<Awaited<ReturnType<Rendering['openPage']>>>;

export interface StatuteDraft {
  readonly description: StatutePublication;
  readonly object: StoredObject;
  readonly inspection: Pick<PdfInspection, 'pages' | 'sizes'>;
  readonly demo: boolean;
}

export interface PublishedStatute {
  readonly id: string;
  readonly version: string;
  readonly sha256: string;
  readonly effectiveFrom: number;
  readonly repeated: boolean;
}

/**
 * The terms in force, and who accepted which version when. Until the version in force is accepted, a client's document calls are refused
 * (C3); reading a version and accepting it never are. The nearest version that was published ahead may be accepted before its day, and is not
 * asked for again then; a CLOSED client is not told of it. Texts are public, also of versions that come into force later. Every method that
 * takes an id throws RESOURCE_NOT_FOUND for an unknown one.
 */
export interface Statutes {
  /** Throws CALL_NOT_PERMITTED unless nothing is left to accept: no statute in force, a CLOSED client, or accepted. */
  requireAccepted(caller: ClientCaller): Promise<void>;
  /** The same version with the same bytes is the first publication again, with other bytes RESOURCE_DUPLICATE. */
  publish(draft: StatuteDraft): Promise<PublishedStatute>;
  getInForce(caller: ClientCaller): Promise<StatuteInForce>;
  /** Idempotent. Throws INVALID_STATUS for a version that is neither the one in force nor the upcoming one that the caller is told of. */
  accept(caller: ClientCaller, id: string): Promise<void>;
  /** Throws INVALID_STATUS as `accept` does. */
  markPage(caller: ClientCaller, request: { id: string; page: number }): Promise<void>;
  get(id: string): Promise<StatuteDetails>;
  render(request: { id: string; width: number; page?: number | undefined }): Promise<RenderResult>;
  openPage(request: { id: string; page: number; width: number }): Promise<Image>;
  /** Throws RESOURCE_NOT_FOUND for a page that does not exist. */
  getPageText(request: { id: string; page: number }): Promise<PageText>;
  download(id: string): Promise<{ fileName: string; size: number; body: Readable }>;
}

/** Acceptances cached per process. */
const maxRemembered = 50_000;

const publishedAs = ({ id, version, sha256, effectiveFrom }: Statute, repeated: boolean): PublishedStatute => ({
  id,
  version,
  sha256,
  effectiveFrom: effectiveFrom.getTime(),
  repeated,
});

export const createStatuteService = ({ db, objects, rendering, clock, log }: StatuteParts): Statutes => {
  const versions = createVersionsInForce(() => listVersions(db), clock);
  /** An acceptance is never taken back, but a person may be: whoever gets their id later has other sessions, and has accepted nothing. */
  const accepted = new LRUCache<string, true>({ max: maxRemembered });

  const isAccepted = async ({ sessionId, personalId }: ClientCaller, id: string): Promise<boolean> => {
    const key = `${sessionId} ${id}`;
    if (accepted.has(key)) return true;
    if (!(await hasAccepted(db, { personalId, id }))) return false;
    accepted.set(key, true);
    return true;
  };

  const get = async (id: string): Promise<Statute> => {
    const statute = await findStatute(db, id);
    if (statute === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
    return statute;
  };

  const tellUpcoming = async (caller: ClientCaller, upcoming: StatuteVersion | undefined): Promise<Pick<StatuteInForce, 'upcoming'>> => {
    if (upcoming === undefined || caller.state === 'CLOSED') return {};
    const { id, version, effectiveFrom, changes } = upcoming;
    const [isKept, pagesReached] = await Promise.all([isAccepted(caller, id), findPagesReached(db, { personalId: caller.personalId, id })]);
    return { upcoming: { id, version, effectiveFrom: effectiveFrom.getTime(), changes, accepted: isKept, pagesReached } };
  };

  /** A version that the caller may accept now: the one in force, or the upcoming one that they are told of. */
  const getOpen = async ({ state }: ClientCaller, id: string): Promise<StatuteVersion> => {
    const { inForce, upcoming } = await versions.findNow();
    if (inForce?.id === id) return inForce;
    if (upcoming?.id === id && state !== 'CLOSED') return upcoming;
    await get(id);
    throw new PortalError('INVALID_STATUS');
  };

  const renderable = ({ objectKey, sha256, pageCount }: Statute) => ({ objectKey, sha256, pages: pageCount });

  return {
    async requireAccepted(caller) {
      if (caller.state === 'CLOSED') return;
      const { inForce } = await versions.find();
      if (inForce !== undefined && !(await isAccepted(caller, inForce.id))) throw new PortalError('CALL_NOT_PERMITTED');
    },

    async publish({ description: { version, effectiveFrom, changes }, object, inspection, demo }) {
      const now = clock.now();
      const statute: Statute = {
        id: randomUUID(),
        version,
        effectiveFrom: effectiveFrom === undefined ? now : new Date(effectiveFrom),
        changes: changes ?? null,
        objectKey: object.key,
        sha256: object.sha256,
        size: object.size,
        pageCount: inspection.pages,
        pageSizes: inspection.sizes,
      };
      const isNew = await insertStatute(db, { ...statute, publishedAt: now, demo });
      const published = isNew ? { ...statute, demo } : await findStatuteByVersion(db, version);
      if (published !== undefined && published.demo !== demo)
        throw new PortalError('RESOURCE_DUPLICATE', { fields: { version: 'published before, and only one of both was a demonstration' } });
      if (published === undefined || published.sha256 !== object.sha256)
        throw new PortalError('RESOURCE_DUPLICATE', { fields: { version: 'published before with other bytes' } });
      versions.forget();
      // C4: ahead of the first reader. The next poll draws what is missing.
      for (const width of viewerLimits.renderWidthsPx) rendering.prefetch(renderable(published), width);
      return publishedAs(published, !isNew);
    },

    async getInForce(caller) {
      const { inForce, upcoming } = await versions.findNow();
      const told = await tellUpcoming(caller, upcoming);
      if (inForce === undefined) return { id: null, version: null, effectiveFrom: null, accepted: true, pagesReached: [], ...told };
      return {
        id: inForce.id,
        version: inForce.version,
        effectiveFrom: inForce.effectiveFrom.getTime(),
        // A closed client is never asked.
        accepted: caller.state === 'CLOSED' || (await isAccepted(caller, inForce.id)),
        pagesReached: await findPagesReached(db, { personalId: caller.personalId, id: inForce.id }),
        ...told,
      };
    },

    async accept(caller, id) {
      const version = await getOpen(caller, id);
      await insertAcceptance(db, { personalId: caller.personalId, statute: version, at: clock.now() });
    },

    async markPage(caller, { id, page }) {
      await getOpen(caller, id);
      if (!(await markPage(db, { personalId: caller.personalId, id, page }))) throw new PortalError('RESOURCE_NOT_FOUND');
    },

    async get(id) {
      const { objectKey: _, effectiveFrom, ...statute } = await get(id);
      return { ...statute, effectiveFrom: effectiveFrom.getTime() };
    },

    async render({ id, width, page }) {
      const statute = await get(id);
      const progress = await rendering.poll(renderable(statute), { width, page, waitMs: viewerLimits.firstAnswerWaitMs });
      if (progress.failed) throw renderFailure(progress, `statute ${id}`);
      const urlOf = (of: number): string => `/api/open/documents/statute/${id}/page/${of}?width=${width}`;
      return renderResultOf(progress, { pages: statute.pageCount, urlOf });
    },

    async openPage({ id, page, width }) {
      const statute = await get(id);
      const image = page > statute.pageCount ? undefined : await rendering.openPage(renderable(statute), { width, page });
      if (image === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      return image;
    },

    async getPageText({ id, page }) {
      const statute = await get(id);
      if (page > statute.pageCount) throw new PortalError('RESOURCE_NOT_FOUND');
      return rendering.readPageText(renderable(statute), { page });
    },

    async download(id) {
      const { objectKey, sha256, size, version } = await get(id);
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
  };
};

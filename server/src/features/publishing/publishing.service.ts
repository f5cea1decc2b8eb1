import { randomUUID } from 'node:crypto';
import {
  type AnswerOf,
  type BodyOf,
  type calls,
  type Publication,
  type PublishedDocument,
  type StatutePublication,
} from '@pergamin/contract';
import type { Accounts } from '#features/accounts/accounts.door.ts';
import {
  findMoment,
  insertDrafts,
  kindOf,
  listFacts,
  listPublicationFacts,
  ownersOf,
  requireReplaceable,
  retentionOfClasses,
  takeSuccession,
  withdrawDocuments,
} from '#features/documents/documents.door.ts';
import type { Ledger } from '#features/ledger/ledger.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import type { Rendering } from '#features/rendering/rendering.door.ts';
import type { Statutes } from '#features/statute/statute.door.ts';
import type { Webhooks } from '#features/webhooks/webhooks.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Db, DocumentKind, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Upload } from '#platform/http/upload.ts';
import { keptUntilOf } from '#platform/objects/kept-until.ts';
import { storeNamed } from '#platform/objects/named-object.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import type { RetentionYears } from '#platform/settings/retention-setting.ts';
import type { SendingSettings } from '#platform/settings/sending-settings.ts';
import type { SealSettings } from '#platform/settings/signature-settings.ts';
import type { PublisherKeys } from './publisher-keys.ts';
import { openDescriptions } from './descriptions.ts';
import { checkPublications } from './publication-check.ts';
import { inspectPublication } from './inspect-publication.ts';
import { findRepeated } from './repeated.ts';

interface Rooms {
  readonly metadata: Metadata;
  readonly statutes: Statutes;
  readonly accounts: Accounts;
  readonly notifications: Notifications;
  readonly rendering: Pick<Rendering, 'prepare' | 'forget'>;
  readonly webhooks: Pick<Webhooks, 'tell'>;
  readonly ledger: Pick<Ledger, 'enter' | 'cover' | 'coverSoon' | 'coverPublication'>;
}

export interface PublishingParts {
  readonly db: Db;
  readonly stores: { readonly objects: Objects; readonly pdf: Pick<PdfPool, 'inspect'> };
  readonly rooms: Rooms;
  readonly keys: Pick<PublisherKeys, 'requireValid'>;
  /** Whether PDFs with scripts, attached files and the like, and those with foreign data, are refused. */
  readonly settings: Pick<SendingSettings, 'publishContent' | 'publishForeignData'> & {
    readonly timeZone: string;
    readonly statementMarkerKey: string;
    readonly retentionYears: RetentionYears;
    readonly seals: SealSettings;
    /** Whether a batch is committed by another key than those that filled it, and what has no second key takes the scope `documents:release`. */
    readonly batchSecondKey: 'none' | 'required';
  };
  readonly clock: Clock;
}

export type PublishingService = ReturnType<typeof createPublishingService>;

/** With the retention of each class at this day. */
export const releaseAt = ({ settings: { timeZone, retentionYears } }: Pick<PublishingParts, 'settings'>, at: Date) => ({
  at,
  timeZone,
  keptUntil: retentionOfClasses(createLocalTime(timeZone).dayOf(at), retentionYears),
});

/** When the retention ends of a document that is published now, as its release will set it. */
const keptUntil = (
  { settings, clock }: Pick<PublishingParts, 'settings' | 'clock'>,
  kind: DocumentKind,
  own: string | null,
): Date | undefined => {
  const now = clock.now();
  return keptUntilOf([own, releaseAt({ settings }, now).keptUntil[kind]], { timeZone: settings.timeZone, now });
};

/** Made before, and visible; what the ledger did not cover then is covered first. Throws BC_ERROR. */
const answerRepeated = async (
  { db, rooms }: PublishingParts,
  upload: Upload<Publication>,
  caller: PublisherCaller,
): Promise<PublishedDocument | undefined> => {
  let repeated = await findRepeated(db, upload, caller);
  if (repeated?.publishedAt === null) {
    await rooms.ledger.coverPublication(repeated.id);
    repeated = await findRepeated(db, upload, caller);
  }
  if (repeated === undefined) return undefined;
  return { ...repeated, publishedAt: requireMoment(repeated.publishedAt) };
};

const requireMoment = (publishedAt: number | null): number => {
  if (publishedAt === null) throw new PortalError('BC_ERROR');
  return publishedAt;
};

/** Throws CALL_NOT_PERMITTED for what one call makes visible, where publishing takes a second key and this one may not release alone. */
const requireRelease = ({ settings }: PublishingParts, { scopes }: PublisherCaller): void => {
  if (settings.batchSecondKey === 'none' || scopes.includes('documents:release')) return;
  throw new PortalError('CALL_NOT_PERMITTED', {
    fields: { key: 'it lacks the scope documents:release: send a batch, which another key commits' },
  });
};

/**
 * A publication is checked completely before anything is stored; the object is stored before the row that names it; the row waits for the ledger,
 * and becomes visible with the checkpoint that covers it (see covered.ts). A call that could not wait for it is answered BC_ERROR; repeated, it
 * gets the answer of the first.
 */
const publishDocument = async (
  parts: PublishingParts,
  upload: Upload<Publication>,
  caller: PublisherCaller,
): Promise<PublishedDocument> => {
  const { db, stores, rooms, keys } = parts;
  const { description } = upload;
  const { replaces } = description;
  requireRelease(parts, caller);
  if (description.sha256 !== undefined && description.sha256 !== upload.sha256) throw new PortalError('INVALID_SHA256');
  const values = (await openDescriptions(parts, [description], caller))(description);
  const repeated = await answerRepeated(parts, upload, caller);
  if (repeated !== undefined) return repeated;
  const id = randomUUID();
  const succession = replaces === undefined ? undefined : { id, replaces, description, publisher: caller };
  const publish = async (): Promise<PublishedDocument> => {
    if (succession !== undefined) await requireReplaceable(db, succession);
    const kind = kindOf({ type: description.type, marker: values.columns.marker });
    const inspection = await inspectPublication(parts, { path: upload.path, kind, caller });
    const kept = await storeNamed(
      { db, objects: stores.objects },
      [{ ...upload, owners: ownersOf(description), keptUntil: keptUntil(parts, kind, values.columns.retention_date) }],
      async (trx, [object]) => {
        await keys.requireValid(trx, caller);
        const { version, obsolete } = succession === undefined ? first : await takeSuccession(trx, succession);
        const inserted = await insertDrafts(trx, [{ id, description, values, object, inspection, publisher: caller, version }]);
        if (!inserted.has(id)) throw new PortalError('RESOURCE_DUPLICATE', { fields: { uniqueName: 'taken by a document of a batch' } });
        await enterPublication(parts, trx, { id, obsolete, publishedAt: description.publishedAt });
        const { pages: pageCount, flags } = inspection;
        return { id, state: 'ACTIVE' as const, sha256: object.sha256, size: object.size, pageCount, flags, repeated: false };
      },
    );
    await rooms.ledger.coverPublication(id);
    const publishedAt = await findMoment(db, id);
    // A demonstration that was removed meanwhile took the document and the key with it.
    if (publishedAt === null) await db.transaction().execute((trx) => keys.requireValid(trx, caller));
    return { ...kept, publishedAt: requireMoment(publishedAt) };
  };
  try {
    return await publish();
  } catch (error) {
    if (error instanceof PortalError && error.code === 'BC_ERROR') throw error;
    // Another call may have published the same unique name, or made the same replacement, since we looked.
    const published = await answerRepeated(parts, upload, caller);
    if (published !== undefined) return published;
    throw error;
  }
};

/** Of what replaces nothing. */
const first = { version: 1, obsolete: undefined } as const;

const enterPublication = async (
  parts: PublishingParts,
  trx: Trx,
  { id, obsolete, publishedAt }: { readonly id: string; readonly obsolete: string | undefined; readonly publishedAt: number | undefined },
): Promise<void> => {
  const moment = publishedAt === undefined ? null : new Date(publishedAt);
  const { keptUntil } = releaseAt(parts, moment ?? parts.clock.now());
  const published = await listPublicationFacts(trx, [id], { moment, keptUntil });
  const replaced = obsolete === undefined ? [] : await listFacts(trx, [obsolete]);
  await parts.rooms.ledger.enter(trx, [
    ...published,
    ...replaced.map((fact) => ({ ...fact, event: 'STATE_CHANGED' as const, state: 'OBSOLETE' as const })),
  ]);
};

/** How documents and statutes come into the portal. A failure leaves nothing visible. */
export const createPublishingService = (parts: PublishingParts) => ({
  publishDocument: (upload: Upload<Publication>, caller: PublisherCaller): Promise<PublishedDocument> =>
    publishDocument(parts, upload, caller),

  checkPublications: (items: readonly Publication[], caller: PublisherCaller): Promise<AnswerOf<typeof calls.checkPublications>> =>
    checkPublications(parts, items, caller),

  listStatutes: async (): Promise<AnswerOf<typeof calls.listStatutes>> => ({
    ...(await parts.rooms.statutes.list()),
    timeZone: parts.settings.timeZone,
  }),

  async withdrawStatute(
    wish: BodyOf<typeof calls.withdrawStatute>,
    caller: PublisherCaller,
  ): Promise<AnswerOf<typeof calls.withdrawStatute>> {
    requireRelease(parts, caller);
    return parts.rooms.statutes.withdraw(wish, caller);
  },

  /** Throws DOCUMENT_NOT_FOUND_ERROR, INVALID_STATUS. */
  async withdrawDocument(id: string, reason: string, caller: PublisherCaller): Promise<AnswerOf<typeof calls.withdrawDocument>> {
    requireRelease(parts, caller);
    const { db, rooms, keys, clock } = parts;
    const withdrawn = await db.transaction().execute(async (trx) => {
      await keys.requireValid(trx, caller);
      const [document] = await withdrawDocuments(trx, [id], { ...rooms, author: { key: caller, reason }, at: clock.now() });
      if (document === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
      const { isTaken, ...answer } = document;
      if (!isTaken)
        throw new PortalError('INVALID_STATUS', { fields: { state: `its state is ${answer.state}, or a new version takes its place` } });
      return answer;
    });
    if (withdrawn.changed) rooms.ledger.coverSoon();
    return withdrawn;
  },

  async publishStatute(upload: Upload<StatutePublication>, caller: PublisherCaller): Promise<AnswerOf<typeof calls.publishStatute>> {
    requireRelease(parts, caller);
    const { stores, keys } = parts;
    const { objects } = stores;
    const inspection = await inspectPublication(parts, { path: upload.path, caller });
    const [object] = await objects.putFiles([upload]);
    try {
      const published = await parts.rooms.statutes.publish({
        description: upload.description,
        object,
        inspection,
        demo: caller.demo,
        requireValid: (trx) => keys.requireValid(trx, caller),
      });
      if (published.repeated) await objects.discard(object.key);
      return { ...published, timeZone: parts.settings.timeZone };
    } catch (error) {
      // A refusal is certain; after any other error the row may have been committed, and must not lose its object.
      if (error instanceof PortalError) await objects.discard(object.key);
      throw error;
    }
  },
});

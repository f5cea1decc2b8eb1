import { randomUUID } from 'node:crypto';
import { pdfFlag, type Publication, type PublishedDocument, type StatutePublication } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Accounts } from '#features/accounts/accounts.door.ts';
import { release } from '#features/deliveries/deliveries.door.ts';
import type { Documents } from '#features/documents/documents.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import type { Rendering } from '#features/rendering/rendering.door.ts';
import type { Statutes } from '#features/statute/statute.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { inspectUpload } from '#platform/pdf/inspect-upload.ts';
import type { PdfInspection, PdfPool } from '#platform/pdf/pdf-pool.ts';
import type { SendingSettings } from '#platform/settings/sending-settings.ts';
import type { PublisherKeys } from './publisher-keys.ts';
import type { Upload } from '#platform/http/upload.ts';

export interface Rooms {
  readonly metadata: Metadata;
  readonly documents: Documents;
  readonly statutes: Statutes;
  readonly accounts: Accounts;
  readonly notifications: Notifications;
  readonly rendering: Pick<Rendering, 'prepare' | 'forget'>;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly stores: { readonly objects: Objects; readonly pdf: PdfPool };
  readonly rooms: Rooms;
  readonly keys: Pick<PublisherKeys, 'requireValid'>;
  /** What becomes of PDFs with scripts, attached files and the like, and of those with data that are no part of them. */
  readonly settings: Pick<SendingSettings, 'publishContent' | 'publishForeignData'> & { readonly timeZone: string };
  readonly clock: Clock;
}

type PublishedStatute = Awaited<ReturnType<Statutes['publish']>>;

export interface Publishing {
  publishDocument(upload: Upload<Publication>, caller: PublisherCaller): Promise<PublishedDocument>;
  publishStatute(upload: Upload<StatutePublication>, caller: PublisherCaller): Promise<PublishedStatute>;
}

/** Links stand in every other letter of a bank. */
const refusedOfPublishers = pdfFlag.options.filter((flag) => flag !== 'OUTSIDE_LINK');

/** R3: a private document has an owner, a group's has a group, a public one neither. */
const assertRecipients = ({ type, cif, cif2, groupId }: Publication): void => {
  const refuse = (field: string, problem: string): never => {
    throw new PortalError('VALIDATION_ERROR', { fields: { [field]: problem } });
  };
  if (type === 'PRIVATE' && cif === undefined) refuse('CIF', 'a private document needs its owner');
  if (type === 'GROUP' && groupId === undefined) refuse('GROUP_ID', 'a group’s document needs its group');
  if (type !== 'PRIVATE' && cif !== undefined) refuse('CIF', `a document of type ${type} has no owner`);
  if (type !== 'PRIVATE' && cif2 !== undefined) refuse('CIF2', `a document of type ${type} has no owner`);
  if (type !== 'GROUP' && groupId !== undefined) refuse('GROUP_ID', `a document of type ${type} has no group`);
  if (cif2 !== undefined && cif2 === cif) refuse('CIF2', 'the same as CIF');
};

const takenByDemo = 'published before, and only one of both was a demonstration';

/**
 * How documents come into the portal. A publication is checked whole before anything is stored; the object is stored before the row that
 * names it; the row, its recipients and its publication record appear in one transaction, and what it replaces becomes OBSOLETE in the same.
 * What fails on the way leaves nothing that anybody can see, and the object is taken away again: at once, or by the sweep of objects that
 * nothing names.
 */
export const createPublishingService = ({ db, stores: { objects, pdf }, rooms, keys, settings, clock }: Parts): Publishing => {
  const { metadata, documents, statutes, accounts, notifications, rendering } = rooms;

  const assertOwnersKnown = async ({ cif, cif2 }: Publication): Promise<void> => {
    const unknown = await accounts.findUnknownCifs([cif, cif2].filter((owner) => owner !== undefined));
    if (unknown.length === 0) return;
    const field = unknown.some((owner) => owner === cif) ? 'CIF' : 'CIF2';
    throw new PortalError('VALIDATION_ERROR', { fields: { [field]: 'no client has this customer number' } });
  };

  /**
   * The same unique name with the same bytes is the same publication made again (R1), and so is the same replacement. What belongs to the
   * demonstration is removed one day, and dated back: it never stands for a real publication.
   */
  const findRepeated = async (
    { description, sha256 }: Upload<Publication>,
    { demo }: Pick<PublisherCaller, 'demo'>,
  ): Promise<PublishedDocument | undefined> => {
    const { uniqueName, replaces } = description;
    const named = uniqueName === undefined ? [] : await documents.findPublished(db, { uniqueName });
    const before = replaces === undefined ? named : await documents.findPublished(db, { replaces });
    const repeated = before.find(
      (published) => published.document.sha256 === sha256 && published.uniqueName === (uniqueName ?? null) && published.isDemo === demo,
    );
    if (repeated !== undefined) return { ...repeated.document, repeated: true };
    // The name may pass on to what replaces its latest version.
    const holder = named.find(({ isLatest }) => isLatest)?.document.id;
    if (named.length > 0 && (replaces === undefined || (holder !== undefined && holder !== replaces)))
      throw new PortalError('RESOURCE_DUPLICATE', {
        fields: { uniqueName: named.some(({ isDemo }) => isDemo !== demo) ? takenByDemo : 'published before with other bytes' },
      });
    return undefined;
  };

  const inspect = async (path: string, { keyId }: PublisherCaller): Promise<PdfInspection> => {
    const { publishContent: content, publishForeignData } = settings;
    const inspection = await inspectUpload(pdf, {
      path,
      client: `publisher ${keyId}`,
      refuse: content === 'refuse' ? refusedOfPublishers : [],
      mayHoldForeignData: publishForeignData === 'accept',
    });
    return content === 'accept' ? { ...inspection, flags: [] } : inspection;
  };

  return {
    async publishDocument(upload, caller) {
      const { description } = upload;
      if (description.sha256 !== undefined && description.sha256 !== upload.sha256) throw new PortalError('INVALID_SHA256');
      assertRecipients(description);
      // Nobody may backdate a real publication: the moment of delivery is what a durable medium vouches for.
      if (description.publishedAt !== undefined && !caller.demo)
        throw new PortalError('VALIDATION_ERROR', { fields: { publishedAt: 'only for demonstration data' } });
      const values = await metadata.readPublication({ ...description.metadata, FILE_NAME: description.fileName });
      await assertOwnersKnown(description);
      const repeated = await findRepeated(upload, caller);
      if (repeated !== undefined) return repeated;
      const { replaces } = description;
      const succession = replaces === undefined ? undefined : { replaces, description, publisher: caller };
      if (succession !== undefined) await documents.successions.require(succession);
      const inspection = await inspect(upload.path, caller);
      const object = await objects.putFile(upload);
      const id = randomUUID();
      const at = new Date(description.publishedAt ?? clock.now());
      let isCommitting = false;
      try {
        await db.transaction().execute(async (trx) => {
          await keys.requireValid(trx, caller);
          const version = succession === undefined ? 1 : await documents.successions.begin(trx, { ...succession, id });
          await documents.insertDraft(trx, { id, description, values, object, inspection, publisher: caller, version });
          await release(trx, [id], { at, timeZone: settings.timeZone });
          if (replaces !== undefined) await documents.successions.finish(trx, replaces);
          await notifications.tellOfPublication(trx, [id], at);
          // A demonstration is loaded while somebody waits for it.
          if (!caller.demo) await rendering.prepare(trx, { objectKey: object.key, sha256: object.sha256, pages: inspection.pages });
          isCommitting = true;
        });
      } catch (error) {
        // Of a commit whose answer got lost nobody knows yet what becomes; an object that is named by nothing in the end is swept a day later.
        if (!isCommitting) await objects.discard(object.key);
        // Another call may have published the same unique name between our look and our insert.
        const published = await findRepeated(upload, caller);
        if (published !== undefined) return published;
        throw error;
      }
      const { pages: pageCount, flags } = inspection;
      return { id, sha256: object.sha256, size: object.size, pageCount, publishedAt: at.getTime(), flags, repeated: false };
    },

    async publishStatute(upload, caller) {
      const inspection = await inspect(upload.path, caller);
      const object = await objects.putFile(upload);
      try {
        const published = await statutes.publish({ description: upload.description, object, inspection, demo: caller.demo });
        if (published.repeated) await objects.discard(object.key);
        return published;
      } catch (error) {
        // A refusal is certain; after any other error the row may be there all the same, and must not lose its object.
        if (error instanceof PortalError) await objects.discard(object.key);
        throw error;
      }
    },
  };
};

import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { DocumentSeal, DocumentState, Publication, PublishedDocument } from '@pergamin/contract';
import type { PublicationValues } from '#features/metadata/metadata.door.ts';
import type { Database, Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import type { StoredObject } from '#platform/objects/objects.ts';
import type { PdfInspection } from '#platform/pdf/pdf-pool.ts';
import { packPageSizes } from '#platform/pdf/page-sizes.ts';
import { kindOf } from './kinds.rules.ts';

/** A document that is complete and not released yet, so no client sees it. */
export interface DocumentDraft {
  readonly id: string;
  readonly description: Pick<Publication, 'type' | 'cif' | 'cif2' | 'groupId' | 'uniqueName' | 'addedBy'>;
  readonly values: PublicationValues;
  readonly object: StoredObject;
  readonly inspection: Pick<PdfInspection, 'pages' | 'sizes' | 'flags'> & { readonly seal?: DocumentSeal | null };
  readonly publisher: Pick<PublisherCaller, 'keyId' | 'name' | 'demo'>;
  /** Of a document that is released with others. */
  readonly batch?: { readonly id: string; readonly position: number };
  /** One more than that of the document whose place it takes; 1 when left out. */
  readonly version?: number;
}

/** Checksum and unique name of a forgotten document are only recognised. */
interface Recognised {
  readonly hasContent: (sha256: string) => boolean;
  readonly hasName: (uniqueName: string | null) => boolean;
}

/** Not visible before the ledger covers it, and without a moment until then. */
export type KnownDocument = Omit<PublishedDocument, 'repeated' | 'publishedAt'> & { readonly publishedAt: number | null };

export interface PublishedBefore extends Recognised {
  readonly document: KnownDocument;
  readonly uniqueName: string | null;
  /** Nothing has replaced it. */
  readonly isLatest: boolean;
  readonly isDemo: boolean;
}

const rowOf = ({ id, description, values, object, inspection, publisher, version = 1, batch }: DocumentDraft) => {
  const { columns, meta, searchText } = values;
  const { type } = description;
  return {
    ...columns,
    id,
    type,
    kind: kindOf({ type, marker: columns.marker }),
    cif: description.cif ?? null,
    cif2: description.cif2 ?? null,
    group_id: description.groupId ?? null,
    unique_name: description.uniqueName ?? null,
    version,
    added_by: description.addedBy ?? columns.added_by,
    published_by: publisher.name,
    publisher_key_id: publisher.keyId,
    object_key: object.key,
    sha256: object.sha256,
    size: object.size,
    page_count: inspection.pages,
    page_sizes: packPageSizes(inspection.sizes),
    meta,
    search_text: searchText,
    pdf_flags: inspection.flags,
    seal: inspection.seal ?? null,
    demo: publisher.demo,
    batch_id: batch?.id ?? null,
    batch_position: batch?.position ?? null,
  } satisfies Partial<Record<keyof Database['document'], unknown>>;
};

/** One statement, however many. Visible to no client before their release. Gives the ids of those whose unique name was not taken. */
export const insertDrafts = async (trx: Trx, drafts: readonly DocumentDraft[]): Promise<ReadonlySet<string>> => {
  const rows = drafts.map(rowOf);
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  // By name, so that two that have names in common wait for one another in one direction.
  const { rows: inserted } = await sql<{ id: string }>`
    insert into document (${columns}) select ${columns} from json_populate_recordset(null::document, ${JSON.stringify(rows)}::json)
    order by unique_name
    on conflict (unique_name) where unique_name is not null and successor is null do nothing returning id`.execute(trx);
  return new Set(inserted.map(({ id }) => id));
};

export interface NamedDocument extends Recognised {
  readonly document: KnownDocument;
  readonly uniqueName: string | null;
  /** Nothing has replaced it. */
  readonly isLatest: boolean;
  readonly batchId: string | null;
  readonly isDemo: boolean;
}

interface NamedRow {
  readonly id: string;
  readonly state: DocumentState;
  readonly uniqueName: string | null;
  readonly sha256: string;
  readonly size: number;
  readonly pageCount: number;
  readonly publishedAt: Date | null;
  readonly flags: PublishedDocument['flags'];
  readonly batchId: string | null;
  readonly successor: string | null;
  readonly isDemo: boolean;
  /** Of a forgotten one, with hashes in place of what they are of. */
  readonly salt: Buffer | null;
  readonly contentHash: Buffer | null;
  readonly nameHash: Buffer | null;
}

const namedColumns = sql`d.state, d.sha256, d.size, d.page_count as "pageCount", d.published_at as "publishedAt", d.pdf_flags as flags, d.batch_id as "batchId",
  d.successor, d.version, d.demo as "isDemo"`;

/** As a name may have been kept before it was composed at the door, and as a program on a Mac gave it: its hash tells no other. */
const spellingsOf = (name: string): string[] => [...new Set([name, name.normalize('NFD')])];

/** With these names, the earliest version first. A forgotten one is found by the hash of its name, among the few of the same bucket. */
const listNamed = async (db: Db, names: readonly string[]): Promise<NamedRow[]> => {
  const asked = names.flatMap((name) => spellingsOf(name).map((spelling) => ({ name, spelling })));
  const [askedNames, spellings] = [asked.map(({ name }) => name), asked.map(({ spelling }) => spelling)];
  const isNamed = sql`d.unique_name is not null and d.unique_name = any(${names}::text[])`;
  const isComposedSo = sql`d.unique_name is not null and d.unique_name is not nfc normalized and normalize(d.unique_name, NFC) = any(${names}::text[])`;
  // Each of these conditions has an index of its own, and all of them together have none.
  const { rows } = await sql<NamedRow>`
    with asked as (select distinct name, spelling from unnest(${askedNames}::text[], ${spellings}::text[]) as given (name, spelling)),
    named as (
      select * from document d where ${isNamed} and d.successor is null
      union all select * from document d where ${isNamed} and d.successor is not null
      union all select * from document d where ${isComposedSo}
    )
    select d.id, normalize(d.unique_name, NFC) as "uniqueName", ${namedColumns}, null::bytea as salt, null::bytea as "contentHash",
      null::bytea as "nameHash"
    from named d
    union all
    select d.id, asked.name, ${namedColumns}, f.salt, f.content_hash, f.name_hash
    from asked join forgotten_document f on f.name_bucket = name_bucket(asked.spelling) and f.name_hash = salted_hash(f.salt, asked.spelling)
    join document d on d.id = f.document_id
    order by version`.execute(db);
  return rows;
};

const saltedHash = (salt: Buffer, value: string): Buffer => hash('sha256', Buffer.concat([salt, Buffer.from(value)]), 'buffer');

const recognisedOf = ({ id, state, uniqueName, sha256, size, pageCount, publishedAt, flags, ...row }: NamedRow) => {
  const { salt, contentHash, nameHash } = row;
  return {
    document: { id, state, sha256, size, pageCount, publishedAt: publishedAt?.getTime() ?? null, flags },
    uniqueName,
    isLatest: row.successor === null,
    isDemo: row.isDemo,
    hasContent: (given: string): boolean => (salt === null ? given === sha256 : contentHash?.equals(saltedHash(salt, given)) === true),
    hasName: (given: string | null): boolean =>
      salt === null || given === null || nameHash === null
        ? given === uniqueName
        : spellingsOf(given).some((spelling) => nameHash.equals(saltedHash(salt, spelling))),
  };
};

/** All that have these names: drafts, earlier versions and forgotten documents among them. */
export const findNames = async (db: Db, uniqueNames: readonly string[]): Promise<NamedDocument[]> => {
  const rows = await listNamed(db, uniqueNames);
  return rows.map((row) => ({ ...recognisedOf(row), batchId: row.batchId }));
};

/** What came in the place of this document, and in that of what was taken back; drafts among them. */
export const findSuccessors = async (db: Db, replaces: string): Promise<NamedDocument[]> => {
  const rows = await listSuccessors(db, replaces);
  return rows.map((row) => ({ ...recognisedOf(row), batchId: row.batchId }));
};

/** When it became visible; null before. */
export const findMoment = async (db: Db, id: string): Promise<number | null> => {
  const row = await db.selectFrom('document').select('published_at').where('id', '=', id).executeTakeFirst();
  return row?.published_at?.getTime() ?? null;
};

/** By the publisher's names of them, or by the document that was replaced: what came in its place, and in that of what was taken back. */
export type PublishedAs = { readonly uniqueNames: readonly string[] } | { readonly replaces: string };

/** All that were published so, the earliest version first, and what the ledger is about to cover; drafts of batches are not among them. */
export const findPublished = async (db: Db, as: PublishedAs): Promise<PublishedBefore[]> => {
  const rows = 'uniqueNames' in as ? await listNamed(db, as.uniqueNames) : await listSuccessors(db, as.replaces);
  return rows.filter(({ publishedAt, batchId }) => publishedAt !== null || batchId === null).map(recognisedOf);
};

const listSuccessors = async (db: Db, replaces: string): Promise<NamedRow[]> => {
  const { rows } = await sql<NamedRow>`
    with recursive later (id, state, successor) as (
      select next.id, next.state, next.successor from document former join document next on next.id = former.successor
      where former.id = ${replaces}::uuid
      union all select next.id, next.state, next.successor from later join document next on next.id = later.successor
      where later.state in ('CANCELLED', 'DELETED', 'FORGOTTEN')
    )
    select d.id, normalize(d.unique_name, NFC) as "uniqueName", ${namedColumns}, f.salt, f.content_hash as "contentHash", f.name_hash as "nameHash"
    from later join document d on d.id = later.id left join forgotten_document f on f.document_id = d.id
    order by version`.execute(db);
  return rows;
};

import type { PdfFlag, SentQuery } from '@pergamin/contract';
import { type RawBuilder, sql } from 'kysely';
import { foldedSql, foldText, spellingsOf } from '#features/metadata/metadata.door.ts';
import type { Db, PageSize, Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import { keepingCategories, type Named } from './categories.store.ts';

export interface SentRow {
  readonly id: string;
  readonly personalId: string;
  readonly cif: string;
  readonly filename: string;
  readonly category: Named;
  readonly type: Named;
  readonly objectKey: string;
  readonly sha256: string;
  readonly size: number;
  readonly pageCount: number;
  readonly pageSizes: PageSize[];
  readonly flags: PdfFlag[];
  readonly scanResult: 'CLEAN' | 'UNAVAILABLE' | 'NONE';
  readonly scanEngine: string | null;
  readonly scannedAt: Date | null;
  /** 'yyyy-mm-dd'; null: indefinite. */
  readonly retentionDate: string | null;
  readonly corrupted: boolean;
  readonly createdAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly place: number;
}

const selection = sql`
  s.id, s.personal_id as "personalId", s.cif, s.filename,
  json_build_object('id', c.id, 'name', json_build_object('pl', c.name_pl, 'en', c.name_en)) as category,
  json_build_object('id', t.id, 'name', json_build_object('pl', t.name_pl, 'en', t.name_en)) as type,
  s.object_key as "objectKey", s.sha256, s.size, s.page_count as "pageCount", s.page_sizes as "pageSizes", s.flags,
  s.scan_result as "scanResult", s.scan_engine as "scanEngine", s.scanned_at as "scannedAt", s.retention_date as "retentionDate",
  s.corrupted, s.created_at as "createdAt", s.acknowledged_at as "acknowledgedAt", s.place`;
const tables = sql`sent_document s join document_category c on c.id = s.category_id join document_type t on t.id = s.type_id`;

const findOne = async (db: Db, where: RawBuilder<unknown>): Promise<SentRow | undefined> => {
  const { rows } = await sql<SentRow>`select ${selection} from ${tables} where ${where}`.execute(db);
  return rows[0];
};

const orNotFound = (sent: SentRow | undefined): SentRow => {
  if (sent === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
  return sent;
};

/** Throws DOCUMENT_NOT_FOUND_ERROR for one that is not theirs, for every reason alike. */
export const getOwnSent = async (db: Db, personalId: string, id: string): Promise<SentRow> =>
  orNotFound(await findOne(db, sql`s.id = ${id} and s.personal_id = ${personalId}`));

export const findByKey = (db: Db, personalId: string, key: string): Promise<SentRow | undefined> =>
  findOne(db, sql`s.personal_id = ${personalId} and s.idempotency_key = ${key}`);

/** Throws DOCUMENT_NOT_FOUND_ERROR. */
export const getReceived = async (db: Db, id: string): Promise<SentRow> => orNotFound(await findOne(db, sql`s.id = ${id}`));

/** `query` holds the client's conditions; the sender is none of them. */
export const listOwnSent = async (
  db: Db,
  personalId: string,
  { text, criteria, sort, page, size }: SentQuery,
): Promise<{ rows: SentRow[]; total: number }> => {
  const conditions = [sql`s.personal_id = ${personalId}`];
  const filename = unlessBlank(criteria.filename);
  const typeId = unlessBlank(criteria.typeId);
  const categoryId = unlessBlank(criteria.categoryId);
  const words = unlessBlank(text);
  if (filename !== undefined) conditions.push(contains('s.search_name', filename));
  if (typeId !== undefined) conditions.push(sql`s.type_id = ${typeId}`);
  if (categoryId !== undefined) conditions.push(sql`s.category_id = ${categoryId}`);
  if (criteria.createdOnAfter !== null) conditions.push(sql`s.created_at >= ${momentOf(criteria.createdOnAfter)}::timestamptz`);
  if (criteria.createdOnBefore !== null) conditions.push(sql`s.created_at <= ${momentOf(criteria.createdOnBefore)}::timestamptz`);
  if (words !== undefined) conditions.push(contains(`concat_ws(' ', s.search_name, ${namesFolded})`, words));
  const where = sql.join(conditions, sql` and `);
  const order = sql.raw(sort[0]?.order === 'asc' ? 'asc' : 'desc');
  const { rows } = await sql<SentRow>`
    select ${selection} from ${tables} where ${where} order by s.created_at ${order}, s.id ${order} limit ${size} offset ${page * size}
  `.execute(db);
  const { rows: counts } = await sql<{ total: number }>`select count(*)::int as total from ${tables} where ${where}`.execute(db);
  return { rows, total: counts[0]?.total ?? 0 };
};

/** In one of its spellings. `folded` is constant SQL; names that an earlier release folded have ß. */
const contains = (folded: string, typed: string): RawBuilder<unknown> => {
  const column = sql.raw(`replace(${folded}, 'ß', 'ss')`);
  const spellings = spellingsOf(typed).map(({ text, loose }) =>
    loose === undefined ? sql`position(${text}::text in ${column}) > 0` : sql`${column} ~ ${loose.pattern}::text`,
  );
  return sql`(${sql.join(spellings, sql` or `)})`;
};

/** Blank text is no condition. */
const unlessBlank = (text: string | null): string | undefined => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
};

const namesFolded = ['c.name_pl', 'c.name_en', 't.name_pl', 't.name_en'].map((column) => foldedSql(column)).join(', ');

/** PostgreSQL's calendar is shorter than JavaScript's. */
const momentOf = (epochMs: number): string => {
  if (epochMs < -62_135_596_800_000) return '-infinity';
  return epochMs > 253_402_300_799_999 ? 'infinity' : new Date(epochMs).toISOString();
};

export interface Place {
  readonly since: number;
  readonly limit: number;
  readonly isPending: boolean;
}

/** One more than the limit, when there is one. */
export const listByPlace = async (db: Db, { since, limit, isPending }: Place): Promise<SentRow[]> => {
  const pending = isPending ? sql`and s.acknowledged_at is null` : sql``;
  const { rows } = await sql<SentRow>`
    select ${selection} from ${tables} where s.place > ${since} ${pending} order by s.place limit ${limit + 1}`.execute(db);
  return rows;
};

/** Those of this day, and those since the session began. */
export const countSent = async (
  db: Db,
  personalId: string,
  { now, timeZone, began }: { now: Date; timeZone: string; began: Date },
): Promise<{ today: number; inSession: number }> => {
  const { rows } = await sql<{ today: number; inSession: number }>`
    select count(*) filter (where created_at >= day) as today, count(*) filter (where created_at >= ${began}::timestamptz) as "inSession"
    from sent_document, date_trunc('day', ${now}::timestamptz, ${timeZone}) as day
    where personal_id = ${personalId} and created_at >= least(day, ${began}::timestamptz)`.execute(db);
  return rows[0] ?? { today: 0, inSession: 0 };
};

/** Serialises the sendings of one client until the transaction ends, and locks the categories against changes. */
export const lockSending = async (trx: Trx, personalId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sending:${personalId}`}, 0)), ${keepingCategories}`.execute(trx);
};

export interface NewSent extends Omit<SentRow, 'corrupted' | 'acknowledgedAt' | 'place'> {
  readonly idempotencyKey: string | undefined;
}

/** Any number; every process takes the same. */
const placesLock = 7_340_912_004;

/**
 * The lock is held until the transaction ends, so that places grow in the order of commits: a reader who has seen one never misses an earlier
 * one. A taken idempotency key is the database's unique violation.
 */
export const insertSent = async (trx: Trx, sent: NewSent): Promise<void> => {
  await trx
    .insertInto('sent_document')
    .values({
      id: sent.id,
      personal_id: sent.personalId,
      cif: sent.cif,
      filename: sent.filename,
      search_name: foldText(sent.filename),
      category_id: sent.category.id,
      type_id: sent.type.id,
      object_key: sent.objectKey,
      sha256: sent.sha256,
      size: sent.size,
      page_count: sent.pageCount,
      page_sizes: JSON.stringify(sent.pageSizes),
      flags: sent.flags,
      scan_result: sent.scanResult,
      scan_engine: sent.scanEngine,
      scanned_at: sent.scannedAt,
      idempotency_key: sent.idempotencyKey ?? null,
      retention_date: sent.retentionDate,
      created_at: sent.createdAt,
      // Counted on when the lock is held, and not before: what is selected from comes first.
      place: sql<number>`(select nextval('sent_document_place') from (select pg_advisory_xact_lock(${placesLock})) locked)`,
    })
    .execute();
};

/** The first time is kept. Throws DOCUMENT_NOT_FOUND_ERROR. */
export const acknowledge = async (db: Db, { id, by, at }: { id: string; by: string; at: Date }): Promise<Date> => {
  const { rows } = await sql<{ at: Date }>`
    update sent_document set acknowledged_at = coalesce(acknowledged_at, ${at}::timestamptz), acknowledged_by = coalesce(acknowledged_by, ${by}::uuid)
    where id = ${id}::uuid returning acknowledged_at as at`.execute(db);
  const [acknowledged] = rows;
  if (acknowledged === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
  return acknowledged.at;
};

export const setSentCorrupted = async (db: Db, id: string): Promise<void> => {
  await db.updateTable('sent_document').set({ corrupted: true }).where('id', '=', id).execute();
};

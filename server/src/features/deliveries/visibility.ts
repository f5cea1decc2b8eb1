import { type RawBuilder, sql } from 'kysely';
import type { ClientCaller } from '#platform/http/caller.ts';

/** Whose customer numbers a caller's documents are delivered to. */
export type Reader = Pick<ClientCaller, 'cif' | 'cif2'>;

/** The one or two customer numbers of a caller, each once. */
export const cifsOf = ({ cif, cif2 }: Reader): string[] => (cif2 === null || cif2 === cif ? [cif] : [cif, cif2]);

/**
 * The access rule, in one place: a document is a client's when it was delivered to their CIF or CIF2, to everybody, or to a group while one of
 * these numbers belonged to it (G7); and it is published, not deleted and not forgotten. Anything else does not exist for them (B11).
 * The following are parts of statements; each names the columns that it expects.
 */

/**
 * Rows (name, since, until): the principals of these customer numbers, groups while they were a member and each moment once. `numbers`: an
 * expression of type text[], that of a parameter or of a column.
 */
export const principalsOf = (numbers: string): string => `
  select 'cif:' || number as name, null::timestamptz as since, null::timestamptz as until from unnest(${numbers}) as own (number)
  union all
  select 'group:' || group_id, lower(membership), upper(membership) from (
    select group_id, unnest(range_agg(tstzrange(since, until))) as membership from group_member
    where cif = any(${numbers}) and (until is null or until > since) group by group_id
  ) as joined`;

/** A row of the same kind for what went to everybody. */
export const publicPrincipal = `select 'public' as name, null::timestamptz as since, null::timestamptz as until`;

/** Of a row of `principal` and one of `delivery`, whose `published_at` must be the only one there. */
export const whileMember = `(principal.since is null or published_at >= principal.since) and (principal.until is null or published_at < principal.until)`;

const isDelivered = `delivery.principal = principal.name and ${whileMember}`;

/** A condition on a row of `document`, by its alias: it was not withdrawn from the portal. */
export const isThere = (document: string): string =>
  `(${document}.state not in ('DELETED', 'FORGOTTEN') and ${document}.withdrawn_at is null)`;

/** Whether a document was delivered to one of the principals; `principal`: a table of such rows, by this name. */
export const isDeliveredTo = (principal: string, documentId: string): string =>
  `exists (select from ${principal} join delivery on ${isDelivered} where delivery.document_id = ${documentId})`;

/** Rows (principal): all recipients of a document, for every caller. */
export const recipientsOf = (documentId: string): string => `select principal from delivery where delivery.document_id = ${documentId}`;

/**
 * All deliveries of a row of `document`, as a JSON array: to whom, in which list, when (epoch milliseconds), and whether they stand on the day of
 * the list that the document has, or was published on.
 */
export const deliveriesOf = (document: string): string => `(
  select coalesce(json_agg(json_build_object(
    'principal', made.principal, 'kind', made.kind, 'at', (extract(epoch from made.published_at) * 1000)::float8,
    'isOnItsDay', abs(made.listed_on - coalesce(
      nullif(case made.kind when 'statement' then ${document}.st_date else ${document}.reg_date end, 'infinity'), made.published_at::date
    )) <= case when nullif(case made.kind when 'statement' then ${document}.st_date else ${document}.reg_date end, 'infinity') is null then 1 else 0 end
  ) order by made.principal), '[]')
  from (select * from delivery where delivery.document_id = ${document}.id limit ${deliveriesLookedAt}) made)`;

/** A document has one or two; more of them are wrong, however many there are. */
const deliveriesLookedAt = 5;

/** Rows (cif): the customer numbers that belonged to the group of a row of `document` when it was published. */
export const membersAtPublication = (document: string): string => `
  select cif from group_member where group_member.group_id = ${document}.group_id
    and group_member.since <= ${document}.published_at and (group_member.until is null or group_member.until > ${document}.published_at)`;

/** A part of a `with`: `principal` has a row for each of the caller's principals, the public one among them. */
export const callersPrincipals = (caller: Reader): RawBuilder<unknown> => sql`
    reader as (select ${cifsOf(caller)}::text[] as numbers),
    principal as (${sql.raw(publicPrincipal)} union all ${sql.raw(principalsOf('(select numbers from reader)::text[]'))})`;

/** Two parts of a `with`, `principal` and `own`: the second has a row for each of the documents that are the caller's. */
export const ownDocuments = (caller: Reader, ids: readonly string[]): RawBuilder<unknown> => sql`
    ${callersPrincipals(caller)},
    own as (
      select document.id, document.page_count, array_agg(distinct delivery.principal) as principals
      from principal
      join delivery on ${sql.raw(isDelivered)} and delivery.document_id = any(${ids}::uuid[])
      join document on document.id = delivery.document_id and document.published_at is not null and ${sql.raw(isThere('document'))}
      group by document.id
    )`;

/**
 * Rows (document_id, published_at) of the deliveries to `principal` of this content, deleted and forgotten documents among them. Each principal
 * is looked up by itself (`offset 0`), so that deliveries to other principals are not read and the time reveals nothing of them.
 */
export const deliveredContent = (sha256: string): RawBuilder<unknown> => sql`
    select delivered.document_id, delivered.published_at
    from principal cross join lateral (
      select document_id, published_at from delivery
      where ${sql.raw(isDelivered)} and delivery.content_key = content_key(${sha256}::text) offset 0
    ) as delivered`;

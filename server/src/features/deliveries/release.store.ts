import { sql } from 'kysely';
import type { DocumentKind, Trx } from '#platform/database/schema.ts';

/** The columns that lists search and sort by; `listed_values` in the schema defines them. */
export const listedColumns = [
  'first_cif',
  'second_cif',
  'search_text',
  'account_key',
  'case_key',
  'product_group',
  'st_number_key',
  'st_doc_type',
  'pub_name_key',
  'pub_duration_key',
  'pub_product_group',
  'file_key',
  'extension_key',
  'bar_number',
  'expires_on',
  'retention_date',
  'size',
  'version',
  'state',
  'is_locked',
  'reg_date',
  'st_date',
  'st_period_start',
  'st_period_end',
  'sha256',
] as const;

/**
 * The one step by which documents become visible: publication times, register rows and deliveries with all that lists need appear
 * together, or not at all. `keptUntil`: the earliest end of the retention of each class; a later one stays. Gives the ids of those whose retention is longer than
 * their statement in the ledger says, as they were released on a later day. A list's own date (D13) is REG_DATE, of statements ST_DATE, else the day of publication where the organisation is.
 */
export const release = async (
  trx: Trx,
  documentIds: readonly string[],
  { at, timeZone, keptUntil = {} }: { at: Date; timeZone: string; keptUntil?: Readonly<Partial<Record<DocumentKind, string>>> },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with released as (
      update document set published_at = ${at}::timestamptz,
        retention_date = greatest(document.retention_date, (${JSON.stringify(keptUntil)}::jsonb ->> document.kind)::date)
      from document stated
      where document.id = any(${documentIds}::uuid[]) and stated.id = document.id and document.published_at is null
      returning document.*, document as doc, stated.retention_date as stated_retention
    ),
    registered as (
      insert into publication (document_id, sha256, cif, cif2, group_id, size, at, retention_date)
      select id, sha256, cif, cif2, group_id, size, ${at}::timestamptz, stated_retention from released
    ),
    delivered as (
      insert into delivery (principal, document_id, kind, published_at, listed_on, content_key, ${sql.raw(listedColumns.join(', '))})
      select recipient.principal, id, kind, ${at}::timestamptz,
        coalesce(
          nullif(case kind when 'statement' then released.st_date else released.reg_date end, 'infinity'),
          (${at}::timestamptz at time zone ${timeZone}::text)::date
        ), content_key(released.sha256), ${sql.raw(listedColumns.map((name) => `listed.${name}`).join(', '))}
      from released cross join lateral listed_values(doc) as listed cross join lateral (
        select 'cif:' || cif as principal where type = 'PRIVATE'
        union select 'cif:' || cif2 where type = 'PRIVATE' and cif2 is not null
        union select 'group:' || group_id where type = 'GROUP'
        union select 'public' where type = 'PUBLIC'
      ) as recipient
    )
    select id from released where retention_date is distinct from stated_retention`.execute(trx);
  return rows.map(({ id }) => id);
};

/** These documents leave the lists, and do not exist for their recipients any more. */
export const withdrawDeliveries = async (trx: Trx, documentIds: readonly string[]): Promise<void> => {
  if (documentIds.length === 0) return;
  await sql`delete from delivery where document_id = any(${documentIds}::uuid[])`.execute(trx);
};

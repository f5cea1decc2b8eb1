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
 * together, or not at all. `keptUntil`: the earliest end of the retention of each class; a later one stays. A list's own date (D13) is REG_DATE, of statements ST_DATE, else the day of publication where the organisation is.
 */
export const release = async (
  trx: Trx,
  documentIds: readonly string[],
  { at, timeZone, keptUntil = {} }: { at: Date; timeZone: string; keptUntil?: Readonly<Partial<Record<DocumentKind, string>>> },
): Promise<void> => {
  await sql`
    with released as (
      update document set published_at = ${at}::timestamptz,
        retention_date = greatest(retention_date, (${JSON.stringify(keptUntil)}::jsonb ->> kind)::date)
      where id = any(${documentIds}::uuid[]) and published_at is null
      returning *, document as doc
    ),
    registered as (
      insert into publication (document_id, sha256, cif, cif2, group_id, size, at)
      select id, sha256, cif, cif2, group_id, size, ${at}::timestamptz from released
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
    select`.execute(trx);
};

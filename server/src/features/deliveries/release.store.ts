import { sql, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

/**
 * The one step by which documents become visible: publication times, register rows, deliveries and the recipients' revisions appear
 * together, or not at all. Released ones stay as they are. A list's own date (D13) is REG_DATE, of statements ST_DATE, else the day of
 * publication where the organisation is.
 */
export const release = async (
  trx: Transaction<Database>,
  documentIds: readonly string[],
  { at, timeZone }: { at: Date; timeZone: string },
): Promise<void> => {
  await sql`
    with released as (
      update document set published_at = ${at}::timestamptz
      where id = any(${documentIds}::uuid[]) and published_at is null
      returning *
    ),
    registered as (
      insert into publication (document_id, sha256, cif, cif2, group_id, size, at)
      select id, sha256, cif, cif2, group_id, size, ${at}::timestamptz from released
    ),
    delivered as (
      insert into delivery (principal, document_id, kind, published_at, listed_on)
      select recipient.principal, id, kind, ${at}::timestamptz,
        coalesce(
          nullif(case kind when 'statement' then st_date else reg_date end, 'infinity'),
          (${at}::timestamptz at time zone ${timeZone}::text)::date
        )
      from released cross join lateral (
        select 'cif:' || cif as principal where type = 'PRIVATE'
        union select 'cif:' || cif2 where type = 'PRIVATE' and cif2 is not null
        union select 'group:' || group_id where type = 'GROUP'
        union select 'public' where type = 'PUBLIC'
      ) as recipient
      returning principal
    )
    insert into principal_revision (principal, revision)
    select distinct principal, 1 from delivered order by principal
    on conflict (principal) do update set revision = principal_revision.revision + 1`.execute(trx);
};

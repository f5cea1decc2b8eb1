import type { Pool } from 'pg';
import { listedColumns } from '#features/deliveries/deliveries.door.ts';

/** Delivers the published documents that have no delivery yet, as a release would, for tests that write rows of documents themselves. */
export const deliverRest = async (pool: Pool, principal: string): Promise<void> => {
  await pool.query(
    `insert into delivery (principal, document_id, kind, published_at, listed_on, content_key, ${listedColumns.join(', ')})
    select $1, doc.id, doc.kind, doc.published_at, doc.published_at::date, content_key(doc.sha256),
      ${listedColumns.map((name) => `listed.${name}`).join(', ')}
    from document doc cross join lateral listed_values(doc) as listed
    where doc.published_at is not null and not exists (select from delivery where document_id = doc.id)`,
    [principal],
  );
};

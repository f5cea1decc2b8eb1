import { isThere, type Principal, recipientsOf } from '#features/deliveries/deliveries.door.ts';
import { markColumns, rowColumns } from '#features/document-lists/document-lists.door.ts';
import type { MarkedRow } from '#features/metadata/metadata.door.ts';
import type { QueryPool } from '#platform/database/read-pool.ts';
import { pagesTogether } from './texts.store.ts';

interface Asked {
  readonly principals: readonly Principal[];
  readonly personalId: string;
  /** Of words alone: whose documents are looked through is added here (B11). */
  readonly tsquery: string;
  readonly offset: number;
  readonly size: number;
}

export interface FoundRow extends MarkedRow {
  readonly page: number;
  readonly text: string;
}

/**
 * The newest documents first; of each the texts of the pages that hold the words. The index knows the principals of a document; the
 * visibility is checked again for everything that is shown.
 */
export const searchTexts = async (
  pool: QueryPool,
  { principals, personalId, tsquery, offset, size }: Asked,
): Promise<{ rows: FoundRow[]; total: number }> => {
  const values: unknown[] = [];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const parts = principals.map(({ name, since, until }) => {
    const while_ = [
      ...(since === null ? [] : [`published_at >= ${add(since)}::timestamptz`]),
      ...(until === null ? [] : [`published_at < ${add(until)}::timestamptz`]),
    ];
    const query = add(`'@${name.replaceAll(/['\\]/g, '$&$&')}' & ${tsquery}`);
    return `select document_id, published_at, first_page from document_words where ${[`words @@ ${query}::tsquery`, ...while_].join(' and ')}`;
  });
  if (parts.length === 0) return { rows: [], total: 0 };
  const names = add(principals.map(({ name }) => name));
  const { rows } = await pool.query<FoundRow & { total: number }>(
    `with part as (${parts.join(' union all ')}),
    found as materialized (
      select document_id, published_at, min(first_page) as first_page from part group by document_id, published_at
    ),
    page as (select * from found order by published_at desc, document_id desc limit ${add(size)} offset ${add(offset)})
    select (select count(*) from found) as total, ${rowColumns}, ${markColumns}, text.page, text.text
    from page
    join document doc on doc.id = page.document_id and ${isThere('doc')}
      and exists (select from (${recipientsOf('doc.id')}) as recipient where recipient.principal = any(${names}::text[]))
    join document_page_text text on text.document_id = doc.id
      and text.page between page.first_page and page.first_page + ${pagesTogether - 1}
    left join document_mark mark on mark.document_id = doc.id and mark.personal_id = ${add(personalId)}
    order by page.published_at desc, page.document_id desc, text.page`,
    values,
  );
  return { rows, total: rows[0]?.total ?? 0 };
};

/** For a page beyond the last one, which has no row that could say it. */
export const countTexts = async (pool: QueryPool, asked: Asked): Promise<number> =>
  (await searchTexts(pool, { ...asked, offset: 0, size: 1 })).total;

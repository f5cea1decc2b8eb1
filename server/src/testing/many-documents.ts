import type { Pool } from 'pg';
import { listedColumns } from '#features/deliveries/deliveries.door.ts';

interface Wanted {
  /** Undefined: for everybody. */
  readonly cif?: string;
  readonly kind: 'private' | 'statement' | 'public';
  readonly count: number;
}

const documents = `
  insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, reg_date, st_date,
    account_number, case_number, st_number, marker, meta, search_text, published_by, text_read_at)
  select gen_random_uuid(), case when $2 = 'public' then 'PUBLIC' else 'PRIVATE' end, $2, $1, 'Umowa rachunku nr ' || nth || '.pdf',
    gen_random_uuid()::text, encode(sha256(concat($1::text, ' ', $2::text, nth)::bytea), 'hex'), 40000 + nth, 2, '[{"width": 595.28, "height": 841.89}]',
    now() - make_interval(mins => nth), case when $2 <> 'statement' then current_date - nth / 50 end,
    case when $2 = 'statement' then current_date - nth / 50 end, case when $2 <> 'public' then lpad(nth::text, 26, '7') end,
    case when $2 = 'private' then 'SPR/2026/' || nth end, case when $2 = 'statement' then nth || '/2026' end,
    case when $2 = 'statement' then 'STATEMENTS' end,
    jsonb_build_object('BAR_NUMBER', '59' || lpad(nth::text, 11, '0'), 'PUB_FILENAME', 'Regulamin nr ' || nth),
    'umowa rachunku ' || nth, 'tests', now()
  from generate_series($3::int, $4::int) nth
  returning id, cif, kind, published_at, sha256, coalesce(st_date, reg_date) as listed_on, document as doc`;

const delivered = `
  with made as (${documents}),
  told as (
    insert into delivery (principal, document_id, kind, published_at, listed_on, content_key, ${listedColumns.join(', ')})
    select coalesce('cif:' || cif, 'public'), id, kind, published_at, listed_on, content_key(made.sha256),
      ${listedColumns.map((name) => `listed.${name}`).join(', ')}
    from made cross join lateral listed_values(doc) as listed
  ),
  said as (
    insert into document_page_text (document_id, page, text) select id, 1, 'Umowa rachunku i strony jej warunki' from made
  )
  insert into document_words (document_id, first_page, published_at, words)
  select id, 1, published_at, array_to_tsvector(array['umowa', 'rachunku', 'strony', 'jej', 'warunki', '@' || coalesce('cif:' || cif, 'public')])
  from made`;

/** So that no statement comes near its deadline. */
const rowsPerStatement = 2_000;

/** Rows of documents that were delivered, as lists see them; their bytes are nowhere. */
export const insertManyDocuments = async (pool: Pool, { cif, kind, count }: Wanted): Promise<void> => {
  for (let first = 1; first <= count; first += rowsPerStatement)
    await pool.query(delivered, [cif ?? null, kind, first, Math.min(count, first + rowsPerStatement - 1)]);
};

import type { Pool } from 'pg';
import { listedColumns } from '../server/src/features/deliveries/deliveries.door.ts';

/** The client who asks; the nine hundred and ninety-nine others own the rest. */
export const asker = { personalId: '20000001', cif: 'bench-0500', password: 'Bench-2026-Pergamin' } as const;

const documents = `
  insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, reg_date,
    account_number, case_number, priv_product_group, meta, search_text, published_by, text_read_at)
  select gen_random_uuid(), 'PRIVATE', 'private', 'bench-' || lpad(owner::text, 4, '0'), 'Umowa rachunku nr ' || owner || '-' || nth || '.pdf',
    gen_random_uuid()::text, encode(sha256(('bytes of ' || owner || ' ' || nth)::bytea), 'hex'), 40000 + nth * 137, 1 + nth % 20,
    '[{"width": 595.28, "height": 841.89}]', timestamptz '2026-11-01' - make_interval(hours => nth * 7 + owner % 7),
    date '2026-11-01' - nth, lpad((owner * 100 + nth)::text, 26, '7'), 'SPR/2026/' || nth, null,
    jsonb_build_object('BAR_NUMBER', '59' || lpad((owner * 100 + nth)::text, 11, '0')), 'umowa rachunku ' || owner || ' ' || nth, 'bench', now()
  from generate_series(1, 100) nth, generate_series(1, 1000) owner
  order by nth, owner`;

const deliveries = `
  insert into delivery (principal, document_id, kind, published_at, listed_on, content_key, ${listedColumns.join(', ')})
  select 'cif:' || cif, id, kind, published_at, document.reg_date, content_key(document.sha256),
    ${listedColumns.map((name) => `listed.${name}`).join(', ')}
  from document, lateral listed_values(document) as listed`;

const marks = `
  insert into document_mark (personal_id, document_id, read_at, pages, page_times)
  select $1, id, published_at + interval '1 day', array(select generate_series(1, page_count)),
    (select jsonb_object_agg(page, floor(extract(epoch from published_at) * 1000)) from generate_series(1, page_count) as page)
  from document where cif = $2 and page_count % 3 = 0`;

const acceptances = `
  insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at)
  select $1, id, version, sha256, effective_from from statute on conflict do nothing`;

/** A hundred thousand documents of a thousand clients, published in turns, so that one client's lie far apart. */
export const seedDocuments = async (pool: Pool): Promise<void> => {
  const connection = await pool.connect();
  try {
    await connection.query('set statement_timeout = 0');
    await connection.query(documents);
    await connection.query(deliveries);
    await connection.query(marks, [asker.personalId, asker.cif]);
    await connection.query(acceptances, [asker.personalId]);
    await connection.query('vacuum analyze');
    await connection.query('checkpoint');
  } finally {
    connection.release(true);
  }
};

import type { Pool, PoolClient } from 'pg';
import { listedColumns } from '../server/src/features/deliveries/deliveries.door.ts';
import { withoutDeadline } from '../server/src/platform/database/deadline.ts';

/** The client with very many documents, the one with a thousand that lie far apart, and the one with a hundred of the last three months. */
export const owners = {
  large: { personalId: '20000002', cif: 'large', password: 'Bench-2026-Pergamin' },
  medium: { personalId: '20000004', cif: 'medium', password: 'Bench-2026-Pergamin' },
  small: { personalId: '20000003', cif: 'small', password: 'Bench-2026-Pergamin' },
} as const;

/** The last document of the data was published then; periods are asked for as if it were today. */
const lastDay = '2026-11-01';

/** Raised with every change of what is generated, so that data that were kept are made again. */
export const dataVersion = 9;

/** Of a million documents the large owner has a hundred thousand received ones, of more or fewer the same part; the small owner has a hundred of any million. */
export interface Scale {
  readonly documents: number;
}

const dictionary = `
  insert into dictionary_value (dictionary_id, key, name_pl, name_en, position)
  select dictionary, prefix || key, pl, en, place
  from (values ('PRIV_DOC_PRODUCT_GROUP', ''), ('PUB_DOC_PRODUCT_GROUP', ''), ('ST_DOC_TYPE', 'ST_')) as to_fill (dictionary, prefix)
  cross join (values ('LOANS', 'Kredyty', 'Loans', 1), ('ACCOUNTS', 'Rachunki', 'Accounts', 2), ('CARDS', 'Karty płatnicze', 'Cards', 3),
    ('DEPOSITS', 'Lokaty', 'Deposits', 4), ('INSURANCE', 'Ubezpieczenia', 'Insurance', 5), ('INVESTMENTS', 'Inwestycje', 'Investments', 6),
    ('LEASING', 'Leasing', 'Leasing', 7), ('OTHER', 'Żądania i inne', 'Other', 8)) as options (key, pl, en, place)`;

/**
 * One row per document in the order of publication over eight years. Of every thousand the large owner gets a hundred private ones and twelve
 * statements, one goes to the medium owner, twenty to groups and two to everybody; the rest is spread over 9 998 owners by a hash, so that one
 * owner's lie far apart.
 */
const documents = `
  insert into document (id, type, kind, cif, group_id, file_name, object_key, sha256, size, page_count, page_sizes, published_at, reg_date,
    st_date, st_period_start, st_period_end, account_number, case_number, priv_product_group, st_number, st_doc_type, marker, meta,
    search_text, published_by, text_read_at)
  select gen_random_uuid(), type, kind, case when type = 'PRIVATE' then cif end, case when type = 'GROUP' then 'team-' || random % 200 end,
    file_name, 'bench/' || nth, encode(sha256(int8send(nth)), 'hex'), 40000 + random % 900000, 2, '[{"width": 595.28, "height": 841.89}]',
    published_at, case when kind <> 'statement' and random % 50 > 0 then published_at::date - (random % 6)::int end,
    case when kind = 'statement' then published_at::date - 1 end,
    case when kind = 'statement' then date_trunc('month', published_at)::date end,
    case when kind = 'statement' then case when random % 40 = 0 then 'infinity' else (date_trunc('month', published_at) + interval '1 month')::date - 1 end end,
    case when type = 'PRIVATE' then account end, case when kind = 'private' then case_number end,
    case when kind = 'private' and random % 30 > 0 then option end, case when kind = 'statement' then statement_number end,
    case when kind = 'statement' then 'ST_' || option end, case when kind = 'statement' then 'STATEMENTS' end,
    jsonb_strip_nulls(jsonb_build_object('BAR_NUMBER', '59' || lpad(nth::text, 11, '0'), '11', case when random % 3 = 0 then 'infinity' end,
      'PUB_FILENAME', case when kind = 'public' then 'Regulamin nr ' || nth end,
      'PUB_DOC_PRODUCT_GROUP', case when kind = 'public' then option end,
      'PUB_DESC_DURATION_TIME', case when kind = 'public' then 'obowiązuje od roku ' || extract(year from published_at) end)),
    concat_ws(E'\\n', translate(lower(file_name), 'ąćęłńóśźż', 'acelnoszz'), case when type = 'PRIVATE' then account end,
      case when type = 'PRIVATE' then replace(account, ' ', '') end, case when kind = 'private' then lower(case_number) end,
      case when kind = 'statement' then statement_number end, '59' || lpad(nth::text, 11, '0')), 'bench', published_at
  from (
    select *,
      (array['LOANS', 'ACCOUNTS', 'CARDS', 'DEPOSITS', 'INSURANCE', 'INVESTMENTS', 'LEASING', 'OTHER'])[1 + random / 7 % 8] as option,
      (array['Umowa rachunku', 'Aneks do umowy', 'Zaświadczenie o saldzie', 'Harmonogram spłat', 'Potwierdzenie przelewu', 'Pismo w sprawie reklamacji'])
        [1 + random / 11 % 6] || ' nr ' || nth || '.pdf' as file_name,
      substr(digits, 1, 2) || ' ' || substr(digits, 3, 4) || ' ' || substr(digits, 7, 4) || ' ' || substr(digits, 11, 4) || ' '
        || substr(digits, 15, 4) || ' ' || substr(digits, 19, 4) || ' ' || substr(digits, 23, 4) as account,
      'SPR/' || extract(year from published_at) || '/' || lpad((random % 1000000)::text, 6, '0') as case_number,
      nth % 400 || '/' || extract(year from published_at) as statement_number
    from (
      select *,
        case when slot < 112 then 'large' when slot = 134 then 'medium' when is_small then 'small' else 'bench-' || lpad((random % 9998)::text, 4, '0') end as cif,
        case when slot between 112 and 131 then 'GROUP' when slot between 132 and 133 then 'PUBLIC' else 'PRIVATE' end as type,
        case when slot between 100 and 111 then 'statement' when slot between 132 and 133 then 'public'
          when slot > 134 and not is_small and random % 3 = 0 then 'statement' else 'private' end as kind,
        -- Each owner has a handful of accounts.
        lpad((case when slot < 112 then 1 else random % 9998 end * 1000003 + random / 13 % 5 * 7919)::text, 26, '1090') as digits
      from (
        select nth, nth % 1000 as slot, hashint8extended(nth, 20261101) & 1073741823 as random,
          timestamptz '${lastDay} 12:00+00' - (($1::bigint - nth) * interval '8 years' / $1::bigint) as published_at,
          nth > $1::bigint - blocks * 1000 and nth % 1000 between 135 and 134 + 100 / blocks as is_small
        from generate_series(1, $1::bigint) nth, (select least(25, 25 * $1::bigint / 1000000) as blocks) as of_small
      ) as numbers
    ) as recipients
  ) as described
  order by nth`;

const deliveries = `
  insert into delivery (principal, document_id, kind, published_at, listed_on, content_key, ${listedColumns.join(', ')})
  select coalesce('cif:' || cif, 'group:' || group_id, 'public'), id, kind, published_at,
    coalesce(case kind when 'statement' then document.st_date else document.reg_date end, published_at::date), content_key(document.sha256),
    ${listedColumns.map((name) => `listed.${name}`).join(', ')}
  from document, lateral listed_values(document) as listed order by published_at`;

/**
 * Two pages for each document of the large owner and for one in eight of the others: four words that all have, and forty of twenty thousand,
 * the first of which are frequent.
 */
const texts = `
  create temporary table written as
  select document_id, principal, published_at, array['umowa', 'rachunku', 'strony', 'oraz'] || array(
    select distinct 'slowo' || round(20000 * pow((hashint8extended(nth, hashint8(('x' || left(document_id::text, 8))::bit(32)::int)) & 1048575) / 1048576.0, 2))
    from generate_series(1, 40) nth
  ) as words
  from delivery where principal = 'cif:large' or hashtext(document_id::text) % 8 = 0`;
const pageTexts = `
  insert into document_page_text (document_id, page, text)
  select document_id, page, array_to_string(words[(page - 1) * 22 + 1:page * 22], ' ') from written, generate_series(1, 2) as page`;
const wordsOfTexts = `
  insert into document_words (document_id, first_page, published_at, words)
  select document_id, 1, published_at, array_to_tsvector(words || ('@' || principal)) from written order by published_at`;
interface Standing {
  readonly name: string;
  readonly definition: string;
}
const standingIndexes = `
  select indexname as name, indexdef as definition from pg_indexes
  where tablename in ('delivery', 'document_words') and indexname not like '%_pkey'`;

/** Indexes that are built at once take a tenth of the time. */
const withoutIndexes = async (connection: PoolClient, fill: () => Promise<void>): Promise<void> => {
  const { rows } = await connection.query<Standing>(standingIndexes);
  for (const { name } of rows) await connection.query(`drop index ${name}`);
  await fill();
  await connection.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await connection.query(definition);
};

const clients = `
  insert into client (personal_id, cif, first_name, last_name)
  select * from (values ($1::text, $2::text), ($3, $4), ($5, $6)) as owner (personal_id, cif), (values ('Anna', 'Nowak')) as name (first, last)
  on conflict do nothing`;

const memberships = `
  insert into group_member (group_id, cif, since)
  select 'team-' || team, cif, timestamptz '2024-05-01' from unnest($1::text[]) as cif, unnest(array[7, 19]) as team`;

const marks = `
  insert into document_mark (personal_id, document_id, read_at, pages, page_times)
  select $1, id, published_at + interval '1 day', array(select generate_series(1, page_count)),
    (select jsonb_object_agg(page, floor(extract(epoch from published_at) * 1000)) from generate_series(1, page_count) as page)
  from document where cif = $2 and size % 3 > 0`;

const acceptances = `
  insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at)
  select personal_id, statute.id, version, sha256, effective_from from statute, unnest($1::text[]) as personal_id on conflict do nothing`;

/** Accepts every statute for each owner. */
export const acceptStatutes = async (pool: Pool): Promise<void> => {
  await pool.query(acceptances, [Object.values(owners).map(({ personalId }) => personalId)]);
};

/** Into a database without documents. Foreign keys and triggers are not asked: every row here is one that they would let in. */
export const seedMillion = (pool: Pool, scale: Scale): Promise<void> => withoutDeadline(() => seed(pool, scale));

const seed = async (pool: Pool, { documents: count }: Scale): Promise<void> => {
  const connection = await pool.connect();
  const { large, medium, small } = owners;
  try {
    await connection.query('set statement_timeout = 0');
    await connection.query('set session_replication_role = replica');
    await connection.query(dictionary);
    await connection.query(documents, [count]);
    await withoutIndexes(connection, async () => {
      for (const statement of [deliveries, texts, pageTexts, wordsOfTexts]) await connection.query(statement);
    });
    await connection.query(clients, [large.personalId, large.cif, medium.personalId, medium.cif, small.personalId, small.cif]);
    await connection.query(memberships, [[large.cif]]);
    for (const { personalId, cif } of [large, medium, small]) await connection.query(marks, [personalId, cif]);
    await connection.query('vacuum analyze');
    await connection.query('checkpoint');
  } finally {
    connection.release(true);
  }
};

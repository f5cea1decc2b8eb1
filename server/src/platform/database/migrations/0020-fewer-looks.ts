import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Of which there are few different ones. Other than text they have no order of their own, and are compared sign by sign. */
const options = ['product_group', 'st_doc_type', 'pub_product_group'];
const valueOf = (option: string): string => `((${option} || '') collate "C")`;

/** What blocks are made of: a delivery in which one of these changes stands behind all blocks. */
const looked = 'search_text account_key case_key st_number_key pub_name_key pub_duration_key file_key extension_key bar_number'.split(' ');
const lookedOf = (row: string): string => looked.map((name) => `${row}.${name}`).join(', ');

const filled =
  `account_key case_key product_group st_number_key st_doc_type pub_name_key pub_duration_key pub_product_group search_text file_key
  extension_key bar_number state sha256 first_cif second_cif expires_on retention_date reg_date st_date st_period_start st_period_end size version
  is_locked`.split(/\s+/);

const statements: readonly string[] = [
  // Numbers and days alone: half as long a row as that which holds every key that no list shows.
  `create index delivery_numbers on delivery (principal, kind, published_at desc, document_id desc)
    include (listed_on, expires_on, retention_date, size, version)`,
  // Checksums are as long as all other keys together.
  'drop index delivery_rest',
  `create index delivery_rest on delivery (principal, kind, published_at desc, document_id desc)
    include (listed_on, expires_on, retention_date, size, version, is_cut, is_locked, state, file_key, extension_key, bar_number, first_cif,
      second_cif)`,
  `create index delivery_checksums on delivery (principal, kind, published_at desc, document_id desc) include (listed_on, sha256)`,
  // Documents with two owners, few of all: whether somebody has any is known at once, and which they are.
  `create index delivery_joint on delivery (principal, kind, published_at desc, document_id desc)
    include (listed_on, first_cif, second_cif) where second_cif is not null`,
  ...options.map(
    (option) =>
      `create index delivery_by_${option} on delivery (principal, kind, ${valueOf(option)}, document_id) where ${valueOf(option)} is not null`,
  ),
  `create or replace function fill_delivery() returns trigger language plpgsql as $$
  declare
    doc document;
    listed record;
    before delivery := new;
  begin
    select * into doc from document where id = new.document_id;
    select * into listed from listed_values(doc);
    ${filled.map((name) => `new.${name} := listed.${name};`).join(' ')}
    new.is_cut := coalesce(listed.is_cut, false);
    -- A transaction that has a place has a number before: whoever waits for all with lower numbers has seen all lower places. What was looked
    -- through says nothing of another text, which stands behind it.
    if tg_op = 'INSERT' or new.is_cut or (${lookedOf('new')}) is distinct from (${lookedOf('before')}) then
      perform pg_current_xact_id();
      new.place := nextval('delivery_place');
    end if;
    return new;
  end $$`,
  // Some are of values that have changed since. They are made anew as soon as somebody searches.
  'delete from delivery_block',
];

/** Filters of numbers, days, customer numbers and checksums, and the order of options, without a look at all that an owner has (D6, D13). */
export const fewerLooks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const order = `
-- The Polish alphabet, with numbers by their size: "Wyciąg 2" before "Wyciąg 10". No index has it, so that another version of ICU changes no stored order.
create collation natural_order (provider = icu, locale = 'pl-u-kn-true');
`;

const names = `
-- Names of before were kept as they came. Those that are not in normal form, as programs on a Mac write them, are found by it (drafts.store.ts).
create index document_composed_name on document (normalize(unique_name, NFC))
  where unique_name is not null and unique_name is not nfc normalized;
`;

const groups = `
-- Memberships are named by the normal form from here on, and what was published to a group before is named as it was: who is a member is one of both.
insert into group_member (group_id, cif, since, until)
  select normalize(group_id, NFC), cif, since, until from group_member where group_id is not nfc normalized
  on conflict do nothing;
`;

const options = `
-- Two of one name, which only differ in how they are written, stay as they are.
update dictionary_value v set key = normalize(v.key, NFC)
  where v.key is not nfc normalized and 1 = (
    select count(*) from dictionary_value o where o.dictionary_id = v.dictionary_id and normalize(o.key, NFC) = normalize(v.key, NFC)
  );
update batch b set name = normalize(b.name, NFC)
  where b.name is not nfc normalized and 1 = (select count(*) from batch o where normalize(o.name, NFC) = normalize(b.name, NFC));
`;

/** Text sorts as people read it, and what was stored before it was normalised at the door is still found. */
export const orderAndSpelling: Migration = {
  async up(db: Kysely<unknown>) {
    for (const part of [order, names, groups, options]) await sql.raw(part).execute(db);
  },
};

import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was published before the ledger is entered into it, with the time at which it is. */
const publishedBefore = `
insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
select id, 'PUBLISHED', sha256, size, ledger_owner(document), type, state, ledger_metadata(document)
from document where published_at is not null and state <> 'FORGOTTEN' order by published_at, id;
`;

/** The ledger, and everything published so far waiting to be entered. */
export const ledger: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(await readFile(new URL('../schema/ledger.sql', import.meta.url), 'utf8')).execute(db);
    await sql.raw(publishedBefore).execute(db);
  },
};

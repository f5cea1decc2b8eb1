import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Objects;
  /** Takes the sign-in accounts of these people away. */
  readonly removeAccounts: (personalIds: readonly string[]) => Promise<void>;
  readonly log: Log;
}

export interface DemoRemoval {
  /**
   * Removes what was marked as demonstration when it came in, in one transaction; objects go after it. The insert-only tables let exactly
   * these rows go (see refuse_change in the first migration).
   */
  remove(): Promise<{ clients: number; documents: number; statutes: number }>;
}

const statements = [
  sql`delete from document_mark where document_id in (select id from document where demo) or personal_id in (select personal_id from client where demo)`,
  sql`delete from notification where document_id in (select id from document where demo) or receiver in (select personal_id from client where demo)`,
  sql`delete from document_check where document_id in (select id from document where demo)`,
  sql`delete from delivery where document_id in (select id from document where demo)`,
  sql`delete from publication where document_id in (select id from document where demo)`,
  sql`delete from statute_mark where statute_id in (select id from statute where demo) or personal_id in (select personal_id from client where demo)`,
  sql`delete from statute_acceptance where statute_id in (select id from statute where demo) or personal_id in (select personal_id from client where demo)`,
  sql`update principal_revision set revision = revision + 1`,
];

export const createDemoRemoval = ({ db, objects, removeAccounts, log }: Parts): DemoRemoval => ({
  async remove() {
    const removed = await db.transaction().execute(async (trx) => {
      await sql`select set_config('pergamin.removing_demo', 'on', true)`.execute(trx);
      // First: waits for publications under way with these keys, and lets no other begin.
      await trx.updateTable('publisher_key').set({ revoked_at: new Date() }).where('demo', '=', true).execute();
      // What clients do meanwhile waits, and then finds nothing to mark or accept.
      await sql`lock table document_mark, statute_mark, statute_acceptance in share row exclusive mode`.execute(trx);
      for (const statement of statements) await statement.execute(trx);
      const documents = await trx.deleteFrom('document').where('demo', '=', true).returning('object_key').execute();
      const statutes = await trx.deleteFrom('statute').where('demo', '=', true).returning('object_key').execute();
      const clients = await trx.deleteFrom('client').where('demo', '=', true).returning('personal_id').execute();
      await trx
        .insertInto('installation')
        .values({ name: 'demo', value: 'removed' })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: 'removed' }))
        .execute();
      return { documents, statutes, clients };
    });
    await removeAccounts(removed.clients.map((client) => client.personal_id));
    for (const { object_key: key } of [...removed.documents, ...removed.statutes]) await objects.discard(key);
    const counts = { clients: removed.clients.length, documents: removed.documents.length, statutes: removed.statutes.length };
    log.info(counts, 'demonstration data removed');
    return counts;
  },
});

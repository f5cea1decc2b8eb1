import { noHash } from '@pergamin/ledger';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { removeDemoDeliveries } from '#features/deliveries/deliveries.door.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { revokeDemoKeys } from './own-keys.ts';

interface Parts {
  readonly db: Db;
  readonly objects: Objects;
  /** Takes the sign-in accounts of these people away. */
  readonly removeAccounts: (personalIds: readonly string[]) => Promise<void>;
  /** Takes page images and texts of these contents away. */
  readonly forgetPages: (sha256s: readonly string[]) => Promise<void>;
  readonly log: Log;
}

export type DemoRemoval = ReturnType<typeof createDemoRemoval>;

const demoClients = sql`select personal_id from client where demo`;

const statements = [
  sql`delete from document_mark where document_id in (select id from document where demo) or personal_id in (select personal_id from client where demo)`,
  sql`delete from notification where document_id in (select id from document where demo) or receiver in (select personal_id from client where demo)`,
  sql`delete from notice where document_id in (select id from document where demo) or receiver in (select personal_id from client where demo)`,
  sql`delete from document_check where document_id in (select id from document where demo)`,
  sql`delete from document_event where document_id in (select id from document where demo)`,
  sql`delete from publication where document_id in (select id from document where demo)`,
  sql`delete from ledger_pending where document_id in (select id from document where demo)
    or document_id in (select id from sent_document where personal_id in (${demoClients}))`,
  // The log says that they are gone on purpose.
  sql`insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
    select id, 'FORGOTTEN', sha256, size, '', type, 'FORGOTTEN', ${noHash} from (
      select id, sha256, size, type from document where demo
      union all select id, sha256, size, 'PRIVATE' from sent_document where personal_id in (${demoClients})
    ) as removed where exists (select from ledger_entry where ledger_entry.document_id = removed.id)`,
  sql`update ledger_entry set statement = null where statement is not null and not is_public and (document_id in (select id from document where demo)
    or document_id in (select id from sent_document where personal_id in (${demoClients})))`,
  sql`delete from client_event where personal_id in (select personal_id from client where demo)`,
  sql`delete from statute_withdrawal where statute_id in (select id from statute where demo)`,
  sql`delete from statute_mark where statute_id in (select id from statute where demo) or personal_id in (select personal_id from client where demo)`,
  sql`delete from statute_acceptance where statute_id in (select id from statute where demo) or personal_id in (select personal_id from client where demo)`,
];

const categoryStatements = [
  sql`update document_category c set demo = false where demo and exists (select from sent_document s where s.category_id = c.id)`,
  sql`delete from document_type where category_id in (select id from document_category where demo)`,
  sql`delete from document_category where demo`,
];

/** Contents that were removed, and that no other document published or sent still has. */
const listGoneContents = async (db: Db, sha256s: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ sha256: string }>`
    select distinct sha256 from unnest(${sha256s}::text[]) as gone (sha256) where not exists (select from document where sha256 = gone.sha256)
      and not exists (select from statute where sha256 = gone.sha256) and not exists (select from sent_document where sha256 = gone.sha256)`.execute(
    db,
  );
  return rows.map(({ sha256 }) => sha256);
};

/** A document that became visible in between refers to what was about to go, or both wait for one another: nothing was removed then. */
const disturbed = new Set(['23503', '40P01']);
const maxAttempts = 10;

const untilUndisturbed = async <Result>(remove: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await remove();
    } catch (error) {
      const isDisturbed = error instanceof DatabaseError && disturbed.has(error.code ?? '');
      if (!isDisturbed || attempt === maxAttempts) throw error;
    }
};

export const createDemoRemoval = ({ db, objects, removeAccounts, forgetPages, log }: Parts) => ({
  /**
   * Removes what was marked as demonstration when it came in, in one transaction; objects go after it. The insert-only tables let exactly
   * these rows go (see refuse_change in schema/insert-only.sql).
   */
  async remove(): Promise<{ clients: number; documents: number; statutes: number }> {
    const removed = await untilUndisturbed(() =>
      db.transaction().execute(async (trx) => {
        await sql`select set_config('pergamin.removing_demo', 'on', true)`.execute(trx);
        await revokeDemoKeys(trx);
        // What clients do meanwhile waits, and then finds nothing to mark or accept.
        await sql`lock table document_mark, statute_mark, statute_acceptance, sent_document in share row exclusive mode`.execute(trx);
        // Passwords first: what is broken off here is done again, while an account whose client is gone would wait for the next client of that id.
        const people = await trx.selectFrom('client').select('personal_id').where('demo', '=', true).forUpdate().execute();
        await removeAccounts(people.map((client) => client.personal_id));
        for (const statement of statements) await statement.execute(trx);
        await removeDemoDeliveries(trx);
        await sql`delete from webhook_delivery where document_id in (
        select id from document where demo union all select id from sent_document where personal_id in (${demoClients}))`.execute(trx);
        const documents = await trx.deleteFrom('document').where('demo', '=', true).returning(['object_key', 'sha256']).execute();
        const statutes = await trx.deleteFrom('statute').where('demo', '=', true).returning(['object_key', 'sha256']).execute();
        // Documents that demonstration people sent go with them; a category that another client has used stays, as the organisation's own.
        const { rows: sent } = await sql<{ object_key: string; sha256: string }>`
        delete from sent_document where personal_id in (${demoClients}) returning object_key, sha256`.execute(trx);
        for (const statement of categoryStatements) await statement.execute(trx);
        const clients = await trx.deleteFrom('client').where('demo', '=', true).returning('personal_id').execute();
        await trx
          .insertInto('installation')
          .values({ name: 'demo', value: 'removed' })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: 'removed' }))
          .execute();
        return { documents, statutes, clients, sent };
      }),
    );
    const contents = [...removed.documents, ...removed.statutes, ...removed.sent];
    for (const { object_key: key } of contents) await objects.discard(key);
    const sha256s = contents.map(({ sha256 }) => sha256);
    await forgetPages(await listGoneContents(db, sha256s));
    const counts = { clients: removed.clients.length, documents: removed.documents.length, statutes: removed.statutes.length };
    log.info(counts, 'demonstration data removed');
    return counts;
  },
});

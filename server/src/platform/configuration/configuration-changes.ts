import { isDeepStrictEqual } from 'node:util';
import type { AnswerOf, calls, ConfigurationKind, QueryOf } from '@pergamin/contract';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';

interface Change {
  readonly subject: string;
  /** Null: it is new. */
  readonly before: object | null;
  readonly after: object;
}

/** Rows of an answer: those of groups can be long. */
const maxItems = 50;

/**
 * In the transaction that makes the changes. What did not change is left out, and so is what the demonstration brings: that is removed one day.
 */
export const recordChanges = async (
  trx: Trx,
  kind: ConfigurationKind,
  { changes, key }: { readonly changes: readonly Change[]; readonly key: PublisherCaller },
): Promise<void> => {
  const rows = changes
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
    .map(({ subject, before, after }) => ({
      kind,
      subject,
      key_id: key.keyId,
      key_name: key.name,
      before: before === null ? null : JSON.stringify(before),
      after: JSON.stringify(after),
    }));
  if (key.demo || rows.length === 0) return;
  await trx.insertInto('configuration_change').values(rows).execute();
};

/** The latest first. */
export const listChanges = async (
  db: Db,
  { kind, before }: QueryOf<typeof calls.listConfigurationChanges>,
): Promise<AnswerOf<typeof calls.listConfigurationChanges>> => {
  const rows = await db
    .selectFrom('configuration_change')
    .select(['id', 'kind', 'subject', 'at', 'key_id as keyId', 'key_name as keyName', 'before', 'after'])
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'metadata'))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(maxItems + 1)
    .execute();
  return { items: rows.slice(0, maxItems).map((row) => ({ ...row, at: row.at.getTime() })), more: rows.length > maxItems };
};

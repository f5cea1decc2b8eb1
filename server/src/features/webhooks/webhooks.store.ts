import type { WebhookEvent, WebhookState } from '@pergamin/contract';
import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';

/** An event before it has an id. */
export type Fact = WebhookEvent extends infer Event ? (Event extends WebhookEvent ? Omit<Event, 'id'> : never) : never;

export const insertFacts = async (trx: Trx, facts: readonly Fact[], at: Date): Promise<void> => {
  await sql`
    insert into webhook_delivery (id, type, document_id, event, state, due_at, created_at)
    select gen_random_uuid(), fact ->> 'type', (fact -> 'document' ->> 'id')::uuid, fact, 'queued', ${at}::timestamptz, ${at}::timestamptz
    from json_array_elements(${JSON.stringify(facts)}::json) as fact`.execute(trx);
};

export interface QueuedEvent {
  readonly event: WebhookEvent;
  readonly attempts: number;
}

/** Those that wait for the longest time first. */
export const listDue = async (db: Db, { now, limit }: { now: Date; limit: number }): Promise<QueuedEvent[]> => {
  const { rows } = await sql<{ id: string; event: Fact; attempts: number }>`
    select id, event, attempts from webhook_delivery where state = 'queued' and due_at <= ${now}::timestamptz
    order by due_at limit ${limit}::int`.execute(db);
  return rows.map(({ id, event, attempts }) => ({ event: { id, ...event }, attempts }));
};

export const findNextDue = async (db: Db): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('webhook_delivery')
    .select('due_at')
    .where('state', '=', 'queued')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at;
};

export interface Attempt {
  readonly id: string;
  readonly state: WebhookState;
  readonly status: number | null;
  readonly error: string | null;
  /** Of one that stays queued. */
  readonly dueAt: Date | undefined;
}

/** What was delivered keeps its line in the log, and not what it said: who read what. */
export const recordAttempts = async (db: Db, attempts: readonly Attempt[], at: Date): Promise<void> => {
  await sql`
    update webhook_delivery as told set state = attempt.state, attempts = attempts + 1, last_status = attempt.status,
      last_error = attempt.error, last_attempt_at = ${at}::timestamptz, due_at = coalesce(attempt."dueAt", told.due_at),
      delivered_at = case when attempt.state = 'delivered' then ${at}::timestamptz end,
      event = case when attempt.state = 'delivered' then null else told.event end
    from json_to_recordset(${JSON.stringify(attempts)}::json)
      as attempt (id uuid, state text, status int, error text, "dueAt" timestamptz)
    where told.id = attempt.id and told.state = 'queued'`.execute(db);
};

/** At most `limit` of those that were told before. How many they were. */
export const giveUp = async (db: Db, { before, error, limit }: { before: Date; error: string; limit: number }): Promise<number> => {
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'failed', last_error = ${error}
    where id in (select id from webhook_delivery where state = 'queued' and created_at < ${before}::timestamptz limit ${limit}::int)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
};

/** The first of these that is in no state at all. */
export const findUnknown = async (db: Db, ids: readonly string[]): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::uuid[]) with ordinality as asked (id, nth)
    where not exists (select from webhook_delivery w where w.id = asked.id) order by nth limit 1`.execute(db);
  return rows[0]?.id;
};

/** Without ids: what was given up. How many they were. */
export const queueAgain = async (
  db: Db,
  { ids, at, limit }: { ids: readonly string[] | undefined; at: Date; limit: number },
): Promise<number> => {
  const meant = ids === undefined ? sql`state = 'failed'` : sql`id = any(${ids}::uuid[]) and state in ('failed', 'queued')`;
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'queued', attempts = 0, due_at = ${at}::timestamptz
    where id in (select id from webhook_delivery where ${meant} limit ${limit}::int for update)`.execute(db);
  return Number(numAffectedRows ?? 0);
};

/** The position in the log. */
export interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

export const listByState = async (db: Db, { state, after, limit }: { state: WebhookState; after: Place | undefined; limit: number }) =>
  db
    .selectFrom('webhook_delivery')
    .select(['id', 'type', 'document_id', 'created_at', 'state', 'attempts', 'last_status', 'last_error', 'last_attempt_at', 'due_at'])
    .where('state', '=', state)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.createdAt}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** At most `limit`; how many they were. */
export const sweepEnded = async (
  db: Db,
  { state, before, limit }: { state: WebhookState; before: Date; limit: number },
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where state = ${state} and created_at < ${before}::timestamptz limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
};

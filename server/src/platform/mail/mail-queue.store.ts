import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

export interface UnsentRow {
  readonly id: string;
  readonly template: string;
  readonly recipient: string;
  readonly state: 'queued' | 'sending' | 'handed_over' | 'unconfirmed' | 'failed';
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly validUntil: Date | null;
  readonly hasText: boolean;
}

export const listUnsent = async (db: Kysely<Database>, limit: number): Promise<{ rows: readonly UnsentRow[]; total: number }> => {
  const { rows } = await sql<UnsentRow & { total: number }>`
    select id, template, recipient, state, attempts, last_error as "lastError", created_at as "createdAt", due_at as "dueAt",
      valid_until as "validUntil", content is not null as "hasText", count(*) over ()::int as total
    from mail_outbox where state not in ('sent', 'kept') order by created_at, id limit ${limit}`.execute(db);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
};

interface Requeue {
  readonly which: 'waiting' | 'failed' | { readonly id: string };
  readonly now: Date;
}

/** Those of them that can be sent are queued; none that is being sent now. */
export const requeue = async (trx: Transaction<Database>, { which, now }: Requeue) => {
  const update = trx
    .updateTable('mail_outbox')
    .set({ state: 'queued', due_at: now })
    .where('content', 'is not', null)
    .where((row) => row.or([row('valid_until', 'is', null), row('valid_until', '>', now)]))
    .returning(['id', 'template', 'attempts']);
  if (typeof which === 'object') return update.where('id', '=', which.id).where('state', 'in', ['queued', 'failed']).execute();
  return update.where('state', '=', which === 'failed' ? 'failed' : 'queued').execute();
};

/** Of all processes of this database. */
export interface MailStanding {
  /** Not tried yet. */
  readonly waiting: number;
  /** Tried at least once, and tried again. */
  readonly retried: number;
  readonly sending: number;
  readonly unconfirmed: number;
  readonly failed: number;
  /** Of those that were queued within the last day. */
  readonly sent: number;
  /** How long the oldest one that waits has waited; 0 when none does. */
  readonly oldestSeconds: number;
}

export const readMailStanding = async (db: Kysely<Database>, now: Date): Promise<MailStanding> => {
  const { rows } = await sql<MailStanding>`
    select count(*) filter (where state = 'queued' and attempts = 0)::int as waiting,
      count(*) filter (where state = 'queued' and attempts > 0)::int as retried,
      count(*) filter (where state in ('sending', 'handed_over'))::int as sending,
      count(*) filter (where state = 'unconfirmed')::int as unconfirmed,
      count(*) filter (where state = 'failed')::int as failed,
      (select count(*)::int from mail_outbox where state = 'sent' and created_at > ${now}::timestamptz - interval '1 day') as sent,
      coalesce(extract(epoch from ${now}::timestamptz - min(created_at) filter (where state in ('queued', 'sending', 'handed_over'))), 0)::float8
        as "oldestSeconds"
    from mail_outbox where state not in ('sent', 'kept')`.execute(db);
  const [standing] = rows;
  if (standing === undefined) throw new Error('the outbox does not tell how it stands');
  return standing;
};

import type { LanguageCode } from '@pergamin/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import type { MailTemplate, NoticeTemplate } from './mail.ts';

export type Trx = Transaction<Database>;

export interface NewMail {
  readonly id: string;
  readonly messageId: string;
  readonly to: string;
  readonly language: LanguageCode;
  readonly template: MailTemplate | NoticeTemplate;
  readonly subject: string;
  readonly text: string | null;
  readonly state: 'queued' | 'kept' | 'failed';
  readonly error?: string;
  /** Until when the link in it works. */
  readonly validUntil?: Date | undefined;
  readonly now: Date;
}

/** Idempotent: a row that exists stays unchanged, as a letter that is handed over again is the same letter. */
export const insertMails = async (trx: Kysely<Database>, mails: readonly NewMail[]): Promise<void> => {
  await trx
    .insertInto('mail_outbox')
    .values(
      mails.map((mail) => ({
        id: mail.id,
        message_id: mail.messageId,
        recipient: mail.to,
        language: mail.language,
        template: mail.template,
        subject: mail.subject,
        content: mail.text,
        state: mail.state,
        last_error: mail.error ?? null,
        created_at: mail.now,
        valid_until: mail.validUntil ?? null,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
};

export interface Attempt {
  readonly id: string;
  /** 1 for the first. A job that is repeated after its work was done finds another number. */
  readonly attempt: number;
  readonly claim: string;
}

/** Takes the mail for one attempt, also from a run that died before it handed the mail over. Undefined: there is nothing left to do. */
export const claimMail = (db: Kysely<Database>, { id, attempt, claim }: Attempt) =>
  db
    .updateTable('mail_outbox')
    .set({ state: 'sending', attempts: attempt, claim, due_at: null })
    .where('id', '=', id)
    .where((row) =>
      row.or([
        row.and([row('state', '=', 'queued'), row('attempts', '=', attempt - 1)]),
        row.and([row('state', '=', 'sending'), row('attempts', '=', attempt)]),
      ]),
    )
    .returning(['message_id as messageId', 'recipient', 'language', 'template', 'subject', 'content', 'created_at as createdAt'])
    .returning('valid_until as validUntil')
    .executeTakeFirst();

/** What a run that died after it had handed the mail over left behind. True when there was such a mail. */
export const settleUnconfirmed = async (db: Kysely<Database>, { id, attempt, error }: { id: string; attempt: number; error: string }) => {
  const { numUpdatedRows } = await db
    .updateTable('mail_outbox')
    .set({ state: 'unconfirmed', content: null, last_error: error })
    .where('id', '=', id)
    .where('attempts', '=', attempt)
    .where('state', '=', 'handed_over')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** False when another run has taken the mail meanwhile. */
export const markHandedOver = async (db: Kysely<Database>, { id, claim }: Attempt): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mail_outbox')
    .set({ state: 'handed_over' })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'sending')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** Changes nothing when another run has taken the mail meanwhile. The content is removed, the row stays. */
export const settleSent = async (db: Kysely<Database>, { id, claim }: Attempt, at: Date): Promise<void> => {
  await db
    .updateTable('mail_outbox')
    .set({ state: 'sent', content: null, last_error: null, sent_at: at })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', 'in', ['handed_over', 'unconfirmed'])
    .execute();
};

interface Refused {
  readonly state: 'queued' | 'failed';
  readonly error: string;
  /** The text stays, so that it can be sent after all. */
  readonly isKept: boolean;
  readonly dueAt: Date | null;
}

/** False when another run has taken the mail meanwhile. */
export const settleRefused = async (
  db: Kysely<Database>,
  { id, claim }: Attempt,
  { state, error, isKept, dueAt }: Refused,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mail_outbox')
    .set({ state, last_error: error, due_at: dueAt, ...(isKept ? {} : { content: null }) })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', 'in', ['sending', 'handed_over'])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** What waits in the local outbox, newest first. */
export const listKept = (db: Kysely<Database>, limit: number) =>
  db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient', 'language', 'subject', 'content', 'created_at as createdAt'])
    .where('state', '=', 'kept')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Of those that were given up, the text is removed when it is too old to be sent, or its link has expired. */
export const sweep = async (
  db: Kysely<Database>,
  { now, rowsBefore, textsBefore }: { now: Date; rowsBefore: Date; textsBefore: Date },
): Promise<void> => {
  await sql`update mail_outbox set content = null where state = 'failed' and content is not null
    and (created_at < ${textsBefore} or valid_until <= ${now})`.execute(db);
  await sql`delete from mail_outbox where created_at < ${rowsBefore} and state not in ('queued', 'sending', 'handed_over')`.execute(db);
};

/** Mail that waits for its next attempt is due now; in which order is its priority. */
export const makeDue = async (db: Kysely<Database>, now: Date): Promise<void> => {
  await sql`update mail_outbox set due_at = ${now} where state = 'queued' and due_at > ${now}`.execute(db);
  await sql`select count(*) from graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where task_identifier = 'mail:send' and run_at > now() and locked_at is null), run_at => now()
  )`.execute(db);
};

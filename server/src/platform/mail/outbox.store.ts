import type { LanguageCode } from '@pergamin/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import type { MailTemplate, NoticeTemplate } from './mail.ts';

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
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
};

interface Attempt {
  readonly id: string;
  /** 1 for the first. A job that is repeated after its work was done finds another number. */
  readonly attempt: number;
  readonly claim: string;
}

/** Takes the mail for one attempt, also from a run that died before it handed the mail over. Undefined: there is nothing left to do. */
export const claimMail = (db: Kysely<Database>, { id, attempt, claim }: Attempt) =>
  db
    .updateTable('mail_outbox')
    .set({ state: 'sending', attempts: attempt, claim })
    .where('id', '=', id)
    .where((row) =>
      row.or([
        row.and([row('state', '=', 'queued'), row('attempts', '=', attempt - 1)]),
        row.and([row('state', '=', 'sending'), row('attempts', '=', attempt)]),
      ]),
    )
    .returning(['message_id as messageId', 'recipient', 'language', 'template', 'subject', 'content', 'created_at as createdAt'])
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

/** False when another run has taken the mail meanwhile. */
export const settleRefused = async (
  trx: Transaction<Database>,
  { id, claim }: Attempt,
  { state, error }: { state: 'queued' | 'failed'; error: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('mail_outbox')
    .set({ state, last_error: error, ...(state === 'failed' ? { content: null } : {}) })
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

export const removeOlderThan = async (db: Kysely<Database>, moment: Date): Promise<void> => {
  await sql`delete from mail_outbox where created_at < ${moment} and state not in ('queued', 'sending', 'handed_over')`.execute(db);
};

import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { inWords, maskAddress } from './mail.rules.ts';
import * as store from './mail-queue.store.ts';
import { queueMails } from './postman.ts';

/** A mail that was not sent, without its words and without the whole of its address. */
export interface UnsentMail {
  readonly id: string;
  /** The template. */
  readonly kind: string;
  readonly to: string;
  readonly state: 'waiting' | 'sending' | 'unconfirmed' | 'failed';
  readonly attempts: number;
  /** The last one, in words. */
  readonly error: string | null;
  readonly queuedAt: Date;
  /** Null: at once, or never. */
  readonly nextAttemptAt: Date | null;
  /** Until when the link in it works. */
  readonly validUntil: Date | null;
  /** Why `retry` cannot send it; null: it can. */
  readonly unsendable: string | null;
}

export interface MailQueue {
  readonly letters: readonly UnsentMail[];
  /** How many there are beyond these. */
  readonly more: number;
}

const whyUnsendable = ({ state, hasText, validUntil }: store.UnsentRow, now: Date): string | null => {
  if (validUntil !== null && validUntil <= now) return 'its link has expired';
  if (state === 'unconfirmed') return 'it may have been sent';
  return hasText ? null : 'its text is not kept any more';
};

const states: Readonly<Record<store.UnsentRow['state'], UnsentMail['state']>> = {
  queued: 'waiting',
  sending: 'sending',
  handed_over: 'sending',
  unconfirmed: 'unconfirmed',
  failed: 'failed',
};

/** What waits and what was given up, the oldest first. */
export const listUnsent = async (db: Kysely<Database>, { limit, now }: { limit: number; now: Date }): Promise<MailQueue> => {
  const { rows, total } = await store.listUnsent(db, limit);
  const letters = rows.map((row) => ({
    id: row.id,
    kind: row.template,
    to: maskAddress(row.recipient),
    state: states[row.state],
    attempts: row.attempts,
    error: row.lastError === null ? null : inWords(row.lastError),
    queuedAt: row.createdAt,
    nextAttemptAt: row.dueAt,
    validUntil: row.validUntil,
    unsendable: whyUnsendable(row, now),
  }));
  return { letters, more: total - letters.length };
};

/**
 * Makes mail due at once, in the order of its urgency: that which waits, or that which was given up and can still be sent, or the one with this
 * id. Gives how many. A portal that runs sends them.
 */
export const retryMail = (
  db: Kysely<Database>,
  { which, now }: { which: 'waiting' | 'failed' | { readonly id: string }; now: Date },
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const due = await store.requeue(trx, { which, now });
    await queueMails(
      createJobs(db),
      due.map(({ id, template, attempts }) => ({ id, template, attempt: attempts + 1 })),
      { trx },
    );
    return due.length;
  });

import { randomUUID } from 'node:crypto';
import type { LanguageCode } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { BatchJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { lettersBytes } from './compose.ts';
import * as store from './outbox.store.ts';
import { deliver, DeliveryError } from './smtp.ts';

export interface MailParts {
  readonly db: Kysely<Database>;
  readonly jobs: BatchJobs;
  readonly settings: Pick<Settings, 'publicUrl' | 'smtpUrl' | 'mailFrom'>;
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** After the first, second… attempt. Together shorter than the life of a reset link. */
const pausesMs = [15_000, 60_000, 5 * 60_000, 20 * 60_000];
/** Of a mail that the server refuses for the moment; after the last one it is `failed`. */
export const maxAttempts = pausesMs.length + 1;

const prioritySecondTime = 5;

const payloadSchema = z.object({ mailId: z.uuid(), attempt: z.int().check(z.gte(1)) });
export type MailJob = z.output<typeof payloadSchema>;

/** One after the other: a mail server that does not answer holds up mail, not page images. */
export const inTurn = { queue: 'mail', maxAttempts: 25 } as const;

/**
 * Hands each row to the mail server at most once, also after a crash: a run records that it is about to send the final dot before it
 * sends it, and only the latest run may. One case stays open: a process that ends between the dot and the server's answer. Such a mail is
 * `unconfirmed`, and not sent again.
 */
export const createPostman = ({ db, jobs, settings, sentences, clock, log }: MailParts) => {
  const { smtpUrl, publicUrl, mailFrom } = settings;

  const refused = async (attempt: Parameters<typeof store.markHandedOver>[1], error: DeliveryError): Promise<void> => {
    const pauseMs = error.isFinal ? undefined : pausesMs[attempt.attempt - 1];
    const state = pauseMs === undefined ? 'failed' : 'queued';
    const isOurs = await db.transaction().execute(async (trx) => {
      const isSettled = await store.settleRefused(trx, attempt, { state, error: error.message });
      if (isSettled && pauseMs !== undefined) {
        const again: MailJob = { mailId: attempt.id, attempt: attempt.attempt + 1 };
        await jobs.addAll('mail:send', [again], { ...inTurn, trx, runAt: new Date(Date.now() + pauseMs), priority: prioritySecondTime });
      }
      return isSettled;
    });
    if (isOurs) log.warn({ mailId: attempt.id, attempt: attempt.attempt, state, reason: error.message }, 'a mail was not sent');
  };

  return async (payload: unknown, signal: AbortSignal): Promise<void> => {
    const { mailId, attempt: number } = z.parse(payloadSchema, payload);
    if (smtpUrl === undefined) throw new Error('SMTP_URL is not set any more');
    const attempt = { id: mailId, attempt: number, claim: randomUUID() };
    const unanswered = 'the process ended before the mail server had answered; it was not sent again';
    if (await store.settleUnconfirmed(db, { ...attempt, error: unanswered })) {
      log.warn({ mailId }, 'a mail is unconfirmed: it is unknown whether it was sent');
      return;
    }
    const mail = await store.claimMail(db, attempt);
    if (mail === undefined || mail.content === null) return;
    const bytes = await lettersBytes({
      messageId: mail.messageId,
      from: { name: sentences(mail.language)['brand.organisation'] ?? '', address: mailFrom },
      to: mail.recipient,
      language: mail.language,
      date: mail.createdAt,
      subject: mail.subject,
      text: mail.content,
    });
    const beforeLast = async (): Promise<void> => {
      if (!(await store.markHandedOver(db, attempt))) throw new Error('another run has taken this mail');
    };
    try {
      await deliver(smtpUrl, { from: mailFrom, to: mail.recipient, bytes, beforeLast }, { name: publicUrl.hostname, signal });
    } catch (error) {
      // A stop is no failure of the mail: the job runs again and continues from the recorded state.
      if (!(error instanceof DeliveryError)) throw error;
      await refused(attempt, error);
      return;
    }
    await store.settleSent(db, attempt, clock.now());
    log.info({ mailId, attempt: number, template: mail.template }, 'a mail was sent');
  };
};

import { randomUUID } from 'node:crypto';
import type { LanguageCode } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { BatchJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { createRepeatedLines, type RepeatedLines } from '#platform/log/repeated-lines.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { lettersBytes } from './compose.ts';
import { nextAttemptAt, priorityOf } from './mail.rules.ts';
import type { MailServer } from './mail-server.ts';
import * as store from './outbox.store.ts';
import { DeliveryError } from './smtp.ts';

export interface MailParts {
  readonly db: Kysely<Database>;
  readonly jobs: BatchJobs;
  readonly settings: Pick<Settings, 'publicUrl' | 'smtpUrl' | 'mailFrom'>;
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Log;
}

interface PostmanParts extends MailParts {
  readonly server: MailServer | undefined;
}

const payloadSchema = z.object({ mailId: z.uuid(), attempt: z.int().check(z.gte(1)) });
type MailJob = z.output<typeof payloadSchema>;

interface Wanted {
  readonly id: string;
  readonly template: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** One job for each mail, one after the other: a mail server that does not answer holds up mail, not page images. The urgent ones first. */
export const queueMails = async (
  jobs: BatchJobs,
  mails: readonly Wanted[],
  { trx, runAt }: { trx?: store.Trx; runAt?: Date } = {},
): Promise<void> => {
  const when = { ...(trx === undefined ? {} : { trx }), ...(runAt === undefined ? {} : { runAt }) };
  for (const [priority, same] of Map.groupBy(mails, ({ template }) => priorityOf(template))) {
    const payloads = same.map(({ id, attempt }): MailJob => ({ mailId: id, attempt }));
    const jobKeys = same.map(({ id }) => `mail:${id}`);
    await jobs.addAll('mail:send', payloads, { queue: 'mail', maxAttempts: 25, priority, jobKeys, ...when });
  }
};

type Claimed = NonNullable<Awaited<ReturnType<typeof store.claimMail>>>;

const linkExpired = 'the link in it has expired; it was not sent';

/**
 * Hands each row to the mail server at most once, also after a crash: a run records that it is about to send the final dot before it
 * sends it, and only the latest run may. One case stays open: a process that ends between the dot and the server's answer. Such a mail is
 * `unconfirmed`, and not sent again.
 */
export const createPostman = (parts: PostmanParts) => {
  const { db, settings, clock, log, server } = parts;
  const lines = createRepeatedLines(parts);

  return async (payload: unknown, signal: AbortSignal): Promise<void> => {
    const { mailId, attempt: number } = z.parse(payloadSchema, payload);
    if (server === undefined) throw new Error('SMTP_URL is not set any more');
    const attempt = { id: mailId, attempt: number, claim: randomUUID() };
    const unanswered = 'the process ended before the mail server had answered; it was not sent again';
    if (await store.settleUnconfirmed(db, { ...attempt, error: unanswered })) {
      log.warn({ mailId }, 'a mail is unconfirmed: it is unknown whether it was sent');
      return;
    }
    const mail = await store.claimMail(db, attempt);
    if (mail === undefined || mail.content === null) return;
    if (mail.validUntil !== null && mail.validUntil <= clock.now()) {
      await store.settleRefused(db, attempt, { state: 'failed', error: linkExpired, isKept: false, dueAt: null });
      lines.warn('expired', { template: mail.template, reason: linkExpired }, 'a mail was given up');
      return;
    }
    const beforeLast = async (): Promise<void> => {
      if (!(await store.markHandedOver(db, attempt))) throw new Error('another run has taken this mail');
    };
    try {
      const bytes = await bytesOf(parts, { ...mail, content: mail.content });
      await server.deliver({ from: settings.mailFrom, to: mail.recipient, bytes, beforeLast }, signal);
    } catch (error) {
      // A stop is no failure of the mail: the job runs again and continues from the recorded state.
      if (!(error instanceof DeliveryError)) throw error;
      await refused({ ...parts, lines }, { attempt, mail, error });
      return;
    }
    await store.settleSent(db, attempt, clock.now());
    log.info({ mailId, attempt: number, template: mail.template }, 'a mail was sent');
    await server.hurryAfterOutage();
  };
};

const bytesOf = ({ sentences, settings }: PostmanParts, mail: Claimed & { readonly content: string }): Promise<Buffer> =>
  lettersBytes({
    messageId: mail.messageId,
    from: { name: sentences(mail.language)['brand.organisation'] ?? '', address: settings.mailFrom },
    to: mail.recipient,
    language: mail.language,
    date: mail.createdAt,
    subject: mail.subject,
    text: mail.content,
  });

interface Refusal {
  readonly attempt: store.Attempt;
  readonly mail: Claimed;
  readonly error: DeliveryError;
}

const refused = async (
  { db, jobs, clock, log, lines }: PostmanParts & { readonly lines: RepeatedLines },
  { attempt, mail, error }: Refusal,
): Promise<void> => {
  const now = clock.now();
  const dueAt = error.isFinal ? undefined : nextAttemptAt({ attempts: attempt.attempt, createdAt: mail.createdAt, now });
  const state = dueAt === undefined ? 'failed' : 'queued';
  const isOurs = await db.transaction().execute(async (trx) => {
    const isSettled = await store.settleRefused(trx, attempt, { state, error: error.message, isKept: true, dueAt: dueAt ?? null });
    if (isSettled && dueAt !== undefined) {
      // The job queue uses the machine's clock.
      const runAt = new Date(Date.now() + dueAt.getTime() - now.getTime());
      await queueMails(jobs, [{ id: attempt.id, template: mail.template, attempt: attempt.attempt + 1 }], { trx, runAt });
    }
    return isSettled;
  });
  if (!isOurs) return;
  const told = { mailId: attempt.id, attempt: attempt.attempt, state, reason: error.message };
  if (!error.isOfServer) log.warn(told, 'a mail was not sent');
  else if (state === 'failed') lines.warn('given up', told, 'a mail was given up');
};

import { randomUUID } from 'node:crypto';
import type { LanguageCode } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import { isLoopback } from '#platform/http/host-guard.ts';
import type { BatchJobs, JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { isAddress } from './address.ts';
import { lettersBytes, writeMail } from './compose.ts';
import type { Mail, MailMessage, MailTemplate, Post } from './mail.ts';
import { createPost } from './post.ts';
import * as store from './outbox.store.ts';
import { deliver, DeliveryError } from './smtp.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly jobs: BatchJobs;
  readonly settings: Pick<Settings, 'publicUrl' | 'smtpUrl' | 'mailFrom'>;
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Log;
}

interface KeptMail {
  readonly id: string;
  readonly recipient: string;
  readonly language: LanguageCode;
  readonly subject: string;
  /** Plain text. */
  readonly content: string | null;
  readonly createdAt: Date;
}

export interface MailService extends Mail {
  readonly post: Post;
  readonly jobs: JobHandlers;
  /** Mail that has nowhere to go, newest first; undefined when this installation has no local outbox. */
  readonly listKept: (() => Promise<KeptMail[]>) | undefined;
}

/** After the first, second… attempt. Together shorter than the life of a reset link. */
const pausesMs = [15_000, 60_000, 5 * 60_000, 20 * 60_000];
export const mostAttempts = pausesMs.length + 1;

const keptMails = 100;
const keptForMs = 90 * 24 * 3_600_000;

/** A crowd of new accounts must not keep somebody waiting who stands before the door. */
const priorities: Readonly<Record<MailTemplate, number>> = {
  passwordReset: 2,
  passwordChanged: 3,
  contactChanged: 3,
  activation: 8,
  activationWithCode: 8,
};
const prioritySecondTime = 5;

const payloadSchema = z.object({ mailId: z.uuid(), attempt: z.int().check(z.gte(1)) });
type Payload = z.output<typeof payloadSchema>;

/** One after the other: a mail server that does not answer holds up mail, not page images. */
const inTurn = { queue: 'mail', maxAttempts: 25 } as const;

/** Their texts stand in memory until they are written. */
const mailsPerStatement = 500;

const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Mail is only ever read on the machine that also is the only one to reach the portal. */
export const hasLocalOutbox = ({ smtpUrl, publicUrl }: Parts['settings']): boolean => smtpUrl === undefined && isLoopback(publicUrl);

/**
 * The outbox and its postman. Each row is handed to the mail server once, whatever crashes: a run writes down that it is about to say the last
 * word to the server before it says it, and only the latest run may. What stays open: a process that ends between that word and the server's
 * answer. Such a mail is `unconfirmed`, and not sent again.
 */
export const createMail = ({ db, jobs, settings, sentences, clock, log }: Parts): MailService => {
  const { smtpUrl, publicUrl, mailFrom } = settings;
  const isLocal = hasLocalOutbox(settings);
  if (smtpUrl === undefined && !isLocal) log.warn('SMTP_URL is not set: no mail can be sent, nobody can reset a password');

  const write = ({ to, language, template, values }: MailMessage): store.NewMail & { readonly template: MailTemplate } => {
    if (!isAddress(to)) throw new Error('this is not an address that mail can be sent to');
    const { subject, text } = writeMail(sentences(language), { template, values });
    const id = randomUUID();
    const mail = { id, messageId: `<${id}@${publicUrl.hostname}>`, to, language, template, subject, now: clock.now() };
    if (smtpUrl !== undefined) return { ...mail, text, state: 'queued' };
    return isLocal ? { ...mail, text, state: 'kept' } : { ...mail, text: null, state: 'failed', error: 'SMTP_URL is not set' };
  };

  const sendAll: Mail['sendAll'] = async (messages, trx) => {
    for (const some of chunksOf(messages, mailsPerStatement)) {
      const mails = some.map(write);
      await store.insertMails(trx, mails);
      const queued = mails.filter(({ state }) => state === 'queued');
      for (const [priority, same] of Map.groupBy(queued, ({ template }) => priorities[template])) {
        const payloads = same.map(({ id }): Payload => ({ mailId: id, attempt: 1 }));
        await jobs.addAll('mail:send', payloads, { ...inTurn, trx, priority });
      }
    }
  };

  const send: Mail['send'] = (message, trx) =>
    trx === undefined ? db.transaction().execute((own) => sendAll([message], own)) : sendAll([message], trx);

  const refused = async (attempt: Parameters<typeof store.markHandedOver>[1], error: DeliveryError): Promise<void> => {
    const pauseMs = error.isFinal ? undefined : pausesMs[attempt.attempt - 1];
    const state = pauseMs === undefined ? 'failed' : 'queued';
    const isOurs = await db.transaction().execute(async (trx) => {
      const isSettled = await store.settleRefused(trx, attempt, { state, error: error.message });
      if (isSettled && pauseMs !== undefined)
        await jobs.addAll('mail:send', [{ mailId: attempt.id, attempt: attempt.attempt + 1 } satisfies Payload], {
          ...inTurn,
          trx,
          runAt: new Date(Date.now() + pauseMs),
          priority: prioritySecondTime,
        });
      return isSettled;
    });
    if (isOurs) log.warn({ mailId: attempt.id, attempt: attempt.attempt, state, reason: error.message }, 'a mail was not sent');
  };

  const run = async (payload: unknown, signal: AbortSignal): Promise<void> => {
    const { mailId, attempt: number } = z.parse(payloadSchema, payload);
    if (smtpUrl === undefined) throw new Error('SMTP_URL is not set any more');
    const attempt = { id: mailId, attempt: number, claim: randomUUID() };
    const unanswered = 'the process ended before the mail server had answered; it was not sent again';
    if (await store.settleUnconfirmed(db, { ...attempt, error: unanswered })) {
      log.warn({ mailId }, 'it is not known whether a mail was sent');
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
      // A stop is no failure of the mail: the job is run again and takes it up where it stands.
      if (!(error instanceof DeliveryError)) throw error;
      await refused(attempt, error);
      return;
    }
    await store.settleSent(db, attempt, clock.now());
    log.info({ mailId, attempt: number, template: mail.template }, 'a mail was sent');
  };

  return {
    send,
    sendAll,
    post: createPost({ db, settings, isLocal, sentences }),
    jobs: {
      'mail:send': run,
      'mail:sweep': () => store.removeOlderThan(db, new Date(clock.now().getTime() - keptForMs)),
    },
    listKept: isLocal ? () => store.listKept(db, keptMails) : undefined,
  };
};

import { randomUUID } from 'node:crypto';
import type { LanguageCode } from '@pergamin/contract';
import { isLoopback } from '#platform/http/host-guard.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { outagesOf } from '#platform/log/outages.ts';
import { isAddress } from './address.ts';
import { writeMail } from './compose.ts';
import type { Mail, MailMessage, MailTemplate, Post } from './mail.ts';
import { createPost } from './post.ts';
import * as store from './outbox.store.ts';
import { createMailServer, type MailServerContact } from './mail-server.ts';
import { keptToRetryMs } from './mail.rules.ts';
import { createPostman, type MailParts, queueMails } from './postman.ts';

interface KeptMail {
  readonly id: string;
  readonly recipient: string;
  readonly language: LanguageCode;
  readonly subject: string;
  /** Plain text. */
  readonly content: string | null;
  readonly createdAt: Date;
}

/** `jobs` must be given to the worker, or queued mail is never sent. */
export interface MailService extends Mail {
  readonly post: Post;
  readonly jobs: JobHandlers;
  /** Mail that has nowhere to go, newest first; undefined when this installation has no local outbox. */
  readonly listKept: (() => Promise<KeptMail[]>) | undefined;
  readonly contact: () => MailServerContact;
}

const keptMails = 100;
const keptForMs = 90 * 24 * 3_600_000;

/** Bounds the memory for the texts of one statement. */
const mailsPerStatement = 500;

const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Mail is only ever read on the machine that also is the only one to reach the portal. */
export const hasLocalOutbox = ({ smtpUrl, publicUrl }: MailParts['settings']): boolean => smtpUrl === undefined && isLoopback(publicUrl);

/** The outbox: rows are inserted in the sender's transaction, and jobs hand them over (postman.ts). */
export const createMail = (parts: MailParts): MailService => {
  const { db, jobs, settings, sentences, clock, log } = parts;
  const { smtpUrl, publicUrl } = settings;
  const outage = outagesOf(log).of('mail');
  const server = smtpUrl === undefined ? undefined : createMailServer({ url: smtpUrl, name: publicUrl.hostname, outage, clock, log });
  server?.onBack(() => store.makeDue(db, clock.now()));
  const isLocal = hasLocalOutbox(settings);
  if (smtpUrl === undefined && !isLocal) log.warn('SMTP_URL is not set: no mail can be sent and no password can be reset');

  const write = ({ to, language, template, values, validUntil }: MailMessage): store.NewMail & { readonly template: MailTemplate } => {
    if (!isAddress(to)) throw new Error('this is not an address that mail can be sent to');
    const { subject, text } = writeMail(sentences(language), { template, values });
    const id = randomUUID();
    const mail = { id, messageId: `<${id}@${publicUrl.hostname}>`, to, language, template, subject, validUntil, now: clock.now() };
    if (smtpUrl !== undefined) return { ...mail, text, state: 'queued' };
    return isLocal ? { ...mail, text, state: 'kept' } : { ...mail, text: null, state: 'failed', error: 'SMTP_URL is not set' };
  };

  const sendAll: Mail['sendAll'] = async (messages, trx) => {
    for (const some of chunksOf(messages, mailsPerStatement)) {
      const mails = some.map(write);
      await store.insertMails(trx, mails);
      const queued = mails.filter(({ state }) => state === 'queued');
      await queueMails(
        jobs,
        queued.map(({ id, template }) => ({ id, template, attempt: 1 })),
        { trx },
      );
    }
  };

  return {
    send: (message, trx) => (trx === undefined ? db.transaction().execute((own) => sendAll([message], own)) : sendAll([message], trx)),
    sendAll,
    post: createPost({ db, settings, server, isLocal, sentences }),
    jobs: {
      'mail:send': createPostman({ ...parts, server }),
      'mail:sweep': () => {
        const now = clock.now();
        const before = (ms: number): Date => new Date(now.getTime() - ms);
        return store.sweep(db, { now, rowsBefore: before(keptForMs), textsBefore: before(keptToRetryMs) });
      },
    },
    listKept: isLocal ? () => store.listKept(db, keptMails) : undefined,
    contact: () => server?.contact() ?? { answeredAt: null, failedAt: null },
  };
};

import { randomUUID } from 'node:crypto';
import { channelId, type LanguageCode } from '@pergamin/contract';
import type { Kysely, Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { JobHandler, Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { fillSentence } from '#platform/mail/compose.ts';
import type { Post } from '#platform/mail/mail.ts';
import { DeliveryError } from '#platform/mail/smtp.ts';
import { type SmsGateway, SmsError } from '#platform/sms/sms.ts';
import { settleTaken } from './delivery-report.store.ts';
import { nameWithoutIds, noticesPerTurn, pauseAfter, queueOf, shortened, templateOf } from './notices.rules.ts';
import * as store from './notices.store.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly jobs: Jobs;
  readonly post: Post;
  readonly gateway: SmsGateway | undefined;
  readonly words: { readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>; readonly publicUrl: URL };
  readonly running: { readonly clock: Clock; readonly log: Log };
}

export interface Sending {
  /** There is something to send of each of these, now or at `dueAt`. A batch that waits already is not added twice. */
  wake(batches: readonly store.Batch[], options?: { readonly trx?: Transaction<Database>; readonly dueAt?: Date }): Promise<void>;
  readonly run: JobHandler;
}

export const sendJob = 'notices:send';

/** Behind all other mail. Nothing waits for a notice. */
const priority = 9;
/** A job is only lost by a process that dies: what is not taken is tried again by the row. */
const jobAttempts = 25;

const payloadSchema = z.object({ documentId: z.uuid(), channel: channelId });

const phonePattern = /^\+\d{6,15}$/;

/** What is known to be of no use, before anybody is asked. */
class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

const isFinal = (error: unknown): boolean => (error instanceof DeliveryError || error instanceof SmsError) && error.isFinal;

/**
 * Sends what the rows say, at least once: a run takes a notice up, writes down that it is about to say the last word (`sends`), and says it.
 * When it dies before it could write what became of it, the next one says it again, under the same Message-ID or reference, and counts again.
 * One batch at a time per channel, over all processes.
 */
export const createSending = ({ db, jobs, post, gateway, words, running: { clock, log } }: Parts): Sending => {
  const wake: Sending['wake'] = async (batches, { trx, dueAt } = {}) => {
    for (const { documentId, channel } of batches)
      await jobs.add(
        sendJob,
        { documentId, channel },
        {
          jobKey: `notices:${documentId}:${channel}`,
          queue: queueOf[channel],
          priority,
          maxAttempts: jobAttempts,
          ...(trx === undefined ? {} : { trx }),
          // The queue goes by the machine's clock.
          ...(dueAt === undefined ? {} : { runAt: new Date(Date.now() + Math.max(0, dueAt.getTime() - clock.now().getTime())) }),
        },
      );
  };

  const valuesOf = (notice: store.Claimed, documentId: string): Record<'fileName' | 'sha256' | 'link', string> => ({
    fileName: nameWithoutIds(notice.fileName, [notice.receiver, notice.cif, notice.cif2]),
    sha256: notice.sha256,
    link: new URL(`/#open=document:${documentId}`, words.publicUrl).href,
  });

  /** The id under which a bounce will come. Throws when the notice was not taken. */
  const handOver = async (
    notice: store.Claimed,
    { documentId, channel, beforeLast, signal }: store.Batch & { beforeLast: () => Promise<void>; signal: AbortSignal },
  ): Promise<string | null> => {
    const { id, kind, email, phone, createdAt } = notice;
    const language = notice.language ?? 'PL';
    const values = valuesOf(notice, documentId);
    if (channel === 'EMAIL') {
      if (email === null) throw new Hopeless('the client has no e-mail address any more');
      await post.handOver({ id, to: email, language, template: templateOf[kind], values, createdAt }, { beforeLast, signal });
      return post.messageIdOf(id);
    }
    if (phone === null || !phonePattern.test(phone)) throw new Hopeless('the client has no telephone number any more');
    if (gateway === undefined) throw new Error('SMS_URL is not set any more');
    const named = { ...values, fileName: shortened(values.fileName) };
    const text = fillSentence(words.sentences(language), { key: `sms.${templateOf[kind]}.text`, values: named });
    await beforeLast();
    return (await gateway.send({ to: phone, text, reference: id }, signal)).messageId;
  };

  const notTaken = async (run: { id: string; claim: string }, failures: number, error: unknown): Promise<void> => {
    const said = error instanceof Error ? error.message : String(error);
    const pauseMs = isFinal(error) ? undefined : pauseAfter(failures + 1);
    if (pauseMs === undefined) await store.settleFailed(db, run, { reason: isFinal(error) ? 'REFUSED' : 'GIVEN_UP', error: said });
    else await store.settleLater(db, run, { dueAt: new Date(clock.now().getTime() + pauseMs), error: said });
    log.warn({ noticeId: run.id, isGivenUp: pauseMs === undefined, reason: said }, 'a notice was not sent');
  };

  const sendOne = async (
    notice: store.Claimed,
    run: { id: string; claim: string },
    batch: store.Batch,
    signal: AbortSignal,
  ): Promise<void> => {
    const { kind, isActive, isTheirs, isUnread, cif, failures } = notice;
    if (kind === 'reminder' && !(isActive && isTheirs && isUnread)) return store.forget(db, run);
    // Nobody is told of what they cannot open.
    if (cif === null) return store.settleFailed(db, run, { reason: 'NO_ADDRESS', error: 'the client is not known any more' });
    if (!isTheirs) return store.settleFailed(db, run, { reason: 'WITHDRAWN', error: null });
    const beforeLast = async (): Promise<void> => {
      if (!(await store.markHandedOver(db, run))) throw new Error('another run has taken this notice');
    };
    try {
      const messageId = await handOver(notice, { ...batch, beforeLast, signal });
      const sent = { at: clock.now(), messageId };
      // Of a mail the id is known before it goes, and no report comes of it by itself.
      if (messageId === null || batch.channel === 'EMAIL') await store.settleSent(db, run, sent);
      else await settleTaken(db, run, { ...sent, messageId });
      log.info({ noticeId: run.id, channel: batch.channel, kind }, 'a notice was sent');
    } catch (error) {
      // A stop is no failure of the notice: the job is run again and takes it up where it stands.
      if (signal.aborted) throw error;
      if (error instanceof Hopeless) return store.settleFailed(db, run, { reason: 'NO_ADDRESS', error: error.message });
      return notTaken(run, failures, error);
    }
    return undefined;
  };

  return {
    wake,
    async run(payload, signal) {
      const batch = z.parse(payloadSchema, payload);
      for (let sent = 0; sent < noticesPerTurn && !signal.aborted; sent += 1) {
        const claim = randomUUID();
        const notice = await store.claimNext(db, { ...batch, claim, now: clock.now() });
        if (notice === undefined) break;
        await sendOne(notice, { id: notice.id, claim }, batch, signal);
      }
      const dueAt = await store.findNextDue(db, batch);
      if (dueAt !== undefined) await wake([batch], { dueAt });
    },
  };
};

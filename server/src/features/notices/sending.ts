import { randomUUID } from 'node:crypto';
import { channelId, type NoticeReason } from '@pergamin/contract';
import * as z from 'zod/mini';
import type { Trx } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import { DeliveryError } from '#platform/mail/smtp.ts';
import { SmsError } from '#platform/sms/sms.ts';
import { settleTaken } from './delivery-report.store.ts';
import { handOver, Hopeless } from './hand-over.ts';
import { maxNoticesPerJob, nextAttemptAt, queueOf } from './notices.rules.ts';
import * as store from './notices.store.ts';
import type { NoticesParts } from './parts.ts';
import { recordResults } from './results.ts';

export interface Sending {
  /** There is something to send of each of these, now or at `dueAt`. A batch that waits already is not added twice. */
  wake(batches: readonly store.Batch[], options?: { readonly trx?: Trx; readonly dueAt?: Date }): Promise<void>;
  readonly run: JobHandler;
}

export const sendJob = 'notices:send';

/** Behind all other mail. Nothing waits for a notice. */
const priority = 9;
/** A job is only lost by a process that dies: what is not taken is tried again by the row. */
const jobAttempts = 25;

const payloadSchema = z.object({ documentId: z.uuid(), channel: channelId });

const isFinal = (error: unknown): boolean => (error instanceof DeliveryError || error instanceof SmsError) && error.isFinal;

/** Whether no other notice would have been taken, either. */
const isOfOutage = (error: unknown): boolean =>
  error instanceof DeliveryError ? error.isOfServer : error instanceof SmsError && !error.isFinal;

/**
 * Sends queued notices at least once: a run claims a notice, records the attempt (`sends`), and sends it.
 * When it dies before it could record the result, the next run sends it again, under the same Message-ID or reference, and counts again.
 * One batch at a time per channel, over all processes.
 */
export const createSending = (parts: NoticesParts): Sending => {
  const { db, clock } = parts;
  const wake = createWake(parts);
  return {
    wake,
    async run(payload, signal) {
      const batch = z.parse(payloadSchema, payload);
      for (let sent = 0; sent < maxNoticesPerJob && !signal.aborted; sent += 1) {
        const claim = randomUUID();
        const notice = await store.claimNext(db, { ...batch, claim, now: clock.now() });
        if (notice === undefined) break;
        await sendOne(parts, notice, { run: { id: notice.id, claim }, batch, signal });
      }
      const dueAt = await store.findNextDue(db, batch);
      if (dueAt !== undefined) await wake([batch], { dueAt });
    },
  };
};

const createWake =
  ({ jobs, clock }: NoticesParts): Sending['wake'] =>
  async (batches, { trx, dueAt } = {}) => {
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
          // The job queue uses the machine's clock.
          ...(dueAt === undefined ? {} : { runAt: new Date(Date.now() + Math.max(0, dueAt.getTime() - clock.now().getTime())) }),
        },
      );
  };

interface SendingRun {
  readonly run: store.Run;
  readonly batch: store.Batch;
  readonly signal: AbortSignal;
}

const sendOne = async (parts: NoticesParts, notice: store.Claimed, { run, batch, signal }: SendingRun): Promise<void> => {
  const { db, clock, log } = parts;
  const { kind, isActive, isTheirs, isUnread, isDisabled, cif } = notice;
  if (kind === 'reminder' && !(isActive && isTheirs && isUnread && !isDisabled)) return store.forget(db, run);
  // The client can no longer open the document.
  if (cif === null) return giveUp(parts, run, { reason: 'NO_ADDRESS', error: 'the client is not known any more' });
  if (!isTheirs || isDisabled) return giveUp(parts, run, { reason: 'WITHDRAWN', error: null });
  const beforeLast = async (): Promise<void> => {
    if (!(await store.markHandedOver(db, run))) throw new Error('another run has taken this notice');
  };
  try {
    const messageId = await handOver(parts, notice, { ...batch, beforeLast, signal });
    const sent = { at: clock.now(), messageId };
    // The id of a mail is known before it is sent, and its result is not reported to us.
    if (messageId === null || batch.channel === 'EMAIL') await settleSent(parts, run, sent);
    else await settleTaken(parts, run, { ...sent, messageId });
    log.info({ noticeId: run.id, channel: batch.channel, kind }, 'a notice was sent');
    await parts.post.hurryAfterOutage();
    return undefined;
  } catch (error) {
    // A stop is no failure of the notice: the job runs again and continues from the recorded state.
    if (signal.aborted) throw error;
    if (error instanceof Hopeless) return giveUp(parts, run, { reason: 'NO_ADDRESS', error: error.message });
    return notTaken(parts, run, { notice, error });
  }
};

const settleSent = async (parts: NoticesParts, run: store.Run, sent: { at: Date; messageId: string | null }): Promise<void> =>
  parts.db.transaction().execute(async (trx) => {
    if (await store.settleSent(trx, run, sent)) await recordResults(trx, [run.id], parts);
  });

const giveUp = async (parts: NoticesParts, run: store.Run, why: { reason: NoticeReason; error: string | null }): Promise<void> =>
  parts.db.transaction().execute(async (trx) => {
    if (await store.settleFailed(trx, run, { ...why, at: parts.clock.now() })) await recordResults(trx, [run.id], parts);
  });

interface NotTaken {
  readonly notice: store.Claimed;
  readonly error: unknown;
}

const notTaken = async (parts: NoticesParts, run: store.Run, { notice, error }: NotTaken): Promise<void> => {
  const { db, clock, log } = parts;
  const said = error instanceof Error ? error.message : String(error);
  const tried = { failures: notice.failures + 1, createdAt: notice.createdAt, now: clock.now() };
  const dueAt = isFinal(error) ? undefined : nextAttemptAt(tried);
  if (dueAt === undefined) await giveUp(parts, run, { reason: isFinal(error) ? 'REFUSED' : 'GIVEN_UP', error: said });
  else await store.settleLater(db, run, { dueAt, error: said });
  // What the outage of a mail server or gateway delays has no line of its own.
  if (!isOfOutage(error)) log.warn({ noticeId: run.id, isGivenUp: dueAt === undefined, reason: said }, 'a notice was not sent');
};

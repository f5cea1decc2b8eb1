import { createHmac, randomUUID } from 'node:crypto';
import type { ReceivedEvent } from '@pergamin/contract';
import * as z from 'zod/mini';
import type { Trx } from '#platform/database/schema.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import type { SendingSettings } from '#platform/settings/sending-settings.ts';
import type { SentDocumentsParts } from './parts.ts';
import { findDelivery, insertDelivery, recordAttempt } from './webhook.store.ts';

type Parts = Pick<SentDocumentsParts, 'db' | 'jobs' | 'settings' | 'clock' | 'log'>;

/** Tells the organisation's system of a document, if and only if the transaction commits; at least once. */
export type Announce = (trx: Trx, sentDocumentId: string) => Promise<void>;

const jobName = 'sent-documents:webhook';
/** With the pauses of the queue, the last one is about two days after the first. */
const maxAttempts = 16;
const timeoutMs = 10_000;

const payloadSchema = z.object({ id: z.string() });

/**
 * `t` are seconds since 1970, `v1` is HMAC-SHA256 of `t`, a point and the body: a receiver that checks both refuses forgeries and replays.
 */
const signatureOf = (body: string, { secret, at }: { secret: string; at: Date }): string => {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
};

export const createWebhook = ({ db, jobs, settings, clock, log }: Parts): { announce: Announce; jobs: JobHandlers } => {
  const webhook = settings.receivedWebhook;

  /** The status that was answered. Throws when there was no answer. */
  const post = async (
    { url, secret }: NonNullable<SendingSettings['receivedWebhook']>,
    event: ReceivedEvent,
    signal: AbortSignal,
  ): Promise<number> => {
    const body = JSON.stringify(event);
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Pergamin',
        'pergamin-event': event.id,
        'pergamin-signature': signatureOf(body, { secret, at: clock.now() }),
      },
      body,
      // The address is what the operator wrote, and nothing that it points to.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return response.status;
  };

  const deliver = async (id: string, signal: AbortSignal): Promise<void> => {
    const delivery = await findDelivery(db, id);
    if (delivery === undefined || delivery.state !== 'queued') return;
    if (webhook === undefined) {
      await recordAttempt(db, { id, at: clock.now(), state: 'failed', status: null, error: 'no webhook is configured any more' });
      return;
    }
    let status: number | null = null;
    let error: string | null = null;
    try {
      status = await post(webhook, delivery.event, signal);
      if (status < 200 || status > 299) error = `answered ${status}`;
    } catch (failure) {
      error =
        failure instanceof Error ? `${failure.message}${failure.cause instanceof Error ? `: ${failure.cause.message}` : ''}` : 'no answer';
    }
    const isLast = delivery.attempts + 1 >= maxAttempts;
    const state = error === null ? 'delivered' : isLast ? 'failed' : 'queued';
    await recordAttempt(db, { id, at: clock.now(), state, status, error });
    if (error === null) return;
    if (state === 'queued') throw new Error(`the webhook could not be delivered: ${error}`);
    log.error({ alarm: 'webhook', webhookId: id, error }, 'a webhook was given up');
  };

  return {
    async announce(trx, sentDocumentId) {
      if (webhook === undefined) return;
      const id = randomUUID();
      await insertDelivery(trx, { id, sentDocumentId, at: clock.now() });
      await jobs.add(jobName, { id }, { trx, maxAttempts });
    },
    jobs: { [jobName]: (payload, signal) => deliver(payloadSchema.parse(payload).id, signal) },
  };
};

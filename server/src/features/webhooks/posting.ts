import type { WebhookEvent } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import type { Webhook } from './parts.ts';
import { type Answer, signatureOf } from './webhooks.rules.ts';

/** Posts one event. Never rejects; undefined when it was broken off by the signal. */
export type Post = (event: WebhookEvent, signal: AbortSignal) => Promise<Answer | undefined>;

const answerWithinMs = 10_000;
const longestError = 500;

const wordsOf = (failure: unknown): string => {
  if (!(failure instanceof Error)) return 'no answer';
  return `${failure.message}${failure.cause instanceof Error ? `: ${failure.cause.message}` : ''}`.slice(0, longestError);
};

export const createPost =
  ({ url, secret }: Webhook, { clock, timeoutMs = answerWithinMs }: { clock: Clock; timeoutMs?: number }): Post =>
  async (event, signal) => {
    const body = JSON.stringify(event);
    try {
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
      const { status } = response;
      // What it says is not read, and may be endless.
      await response.body?.cancel();
      return { status, error: response.ok ? null : `answered ${status}` };
    } catch (failure) {
      return signal.aborted ? undefined : { status: null, error: wordsOf(failure) };
    }
  };

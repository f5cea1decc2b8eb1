import { createHmac } from 'node:crypto';

/**
 * `t` are seconds since 1970, `v1` is HMAC-SHA256 of `t`, a point and the body: a receiver that checks both refuses forgeries and replays.
 */
export const signatureOf = (body: string, { secret, at }: { secret: string; at: Date }): string => {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
};

/** With the pauses between them, the last one is about two days after the first. */
const maxAttempts = 16;
const longestPauseS = Math.exp(10);

/** When an event is posted again after so many attempts, counted from now; undefined: not any more. */
export const pauseAfter = (attempts: number): number | undefined =>
  attempts >= maxAttempts ? undefined : Math.round(Math.min(Math.exp(attempts), longestPauseS) * 1_000);

export interface Answer {
  /** Null: there was none. */
  readonly status: number | null;
  /** Null: the event is delivered. */
  readonly error: string | null;
}

/** Overloaded, or out of order: an event that is refused by itself says nothing about the others. */
export const isFromSystemInTrouble = ({ status }: Answer): boolean => status === null || status === 429 || status >= 500;

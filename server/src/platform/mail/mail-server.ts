import type { Clock } from '#platform/clock/clock.ts';
import type { Log } from '#platform/log/log.ts';
import type { Outage } from '#platform/log/outages.ts';
import { deliver, DeliveryError } from './smtp.ts';

/** What this process knows of the mail server; null: nothing yet. */
export interface MailServerContact {
  /** When it last took a letter, or refused one for a reason of that letter. */
  readonly answeredAt: Date | null;
  /** When it last could not be reached, or would not work for us. */
  readonly failedAt: Date | null;
}

export interface MailServer {
  /** See `deliver` of smtp.ts. */
  deliver(delivery: Parameters<typeof deliver>[1], signal: AbortSignal): Promise<void>;
  /** To be called when a letter is settled: after an outage, what waits is sent at once and not after its pause. Never rejects. */
  hurryAfterOutage(): Promise<void>;
  /** `hurry` makes letters due. */
  onBack(hurry: () => Promise<void>): void;
  readonly contact: () => MailServerContact;
}

interface Parts {
  readonly url: URL;
  /** Of this machine, as it introduces itself. */
  readonly name: string;
  readonly outage: Outage;
  readonly clock: Clock;
  readonly log: Log;
}

/** The server of SMTP_URL, and whether it works: letters tell an outage of it. */
export const createMailServer = ({ url, name, outage, clock, log }: Parts): MailServer => {
  const listeners: (() => Promise<void>)[] = [];
  let answeredAt: Date | null = null;
  let failedAt: Date | null = null;
  let isBack = false;

  const answered = (): void => {
    answeredAt = clock.now();
    isBack ||= outage.worked();
  };

  return {
    async deliver(delivery, signal) {
      try {
        await deliver(url, delivery, { name, signal });
        answered();
      } catch (error) {
        if (error instanceof DeliveryError && error.isOfServer) {
          failedAt = clock.now();
          outage.failed(error);
        } else if (error instanceof DeliveryError) answered();
        throw error;
      }
    },

    async hurryAfterOutage() {
      if (!isBack) return;
      isBack = false;
      for (const hurry of listeners)
        await hurry().catch((error: unknown) => log.warn({ err: error }, 'mail that waits is tried again after its pause only'));
    },

    onBack: (hurry) => void listeners.push(hurry),
    contact: () => ({ answeredAt, failedAt }),
  };
};

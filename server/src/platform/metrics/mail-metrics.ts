import { channelId } from '@pergamin/contract';
import { Gauge, type Registry } from 'prom-client';
import type { MailServerContact } from '#platform/mail/mail-server.ts';
import type { MailStanding } from '#platform/mail/mail-queue.store.ts';

interface WaitingNotices {
  readonly channel: string;
  readonly waiting: number;
  readonly oldestSeconds: number;
}

const seconds = (moment: Date | null): number => (moment === null ? 0 : moment.getTime() / 1_000);

const gauge = (registry: Registry, name: string, help: string, labelNames: string[] = []): Gauge =>
  new Gauge({ name: `pergamin_${name}`, help, labelNames, registers: [registry] });

/** The outbox, and the mail server as this process has met it. While the database is away the last values stay. */
export const observeMail = (
  registry: Registry,
  { readMail, contact }: { readonly readMail: () => Promise<MailStanding>; readonly contact: () => MailServerContact },
): void => {
  const oldest = gauge(registry, 'mail_oldest_seconds', 'How long the oldest mail that waits has waited; notices are counted apart');
  const answered = gauge(registry, 'mail_answered_timestamp_seconds', 'When the mail server last answered this process; 0: never');
  const failed = gauge(
    registry,
    'mail_failed_timestamp_seconds',
    'When the mail server could last not be reached or used by this process; 0: never',
  );
  const mails: Gauge = new Gauge({
    name: 'pergamin_mail',
    help: 'Mail by state: waiting, retried (failed, and tried again), sending, unconfirmed, failed, and sent (of those queued within a day)',
    labelNames: ['state'],
    registers: [registry],
    async collect(): Promise<void> {
      const { answeredAt, failedAt } = contact();
      answered.set(seconds(answeredAt));
      failed.set(seconds(failedAt));
      const standing = await readMail().catch(() => undefined);
      if (standing === undefined) return;
      const { oldestSeconds, ...counts } = standing;
      for (const [state, count] of Object.entries(counts)) mails.set({ state }, count);
      oldest.set(oldestSeconds);
    },
  });
};

export const observeNotices = (registry: Registry, list: () => Promise<readonly WaitingNotices[]>): void => {
  const oldest = gauge(registry, 'notices_oldest_seconds', 'How long the oldest notice that waits has waited, by channel', ['channel']);
  const waiting: Gauge = new Gauge({
    name: 'pergamin_notices_waiting',
    help: 'Notices that wait for their first or next attempt, by channel',
    labelNames: ['channel'],
    registers: [registry],
    async collect(): Promise<void> {
      const found = await list().catch(() => undefined);
      if (found === undefined) return;
      for (const channel of channelId.options) {
        const standing = found.find((one) => one.channel === channel);
        waiting.set({ channel }, standing?.waiting ?? 0);
        oldest.set({ channel }, standing?.oldestSeconds ?? 0);
      }
    },
  });
};

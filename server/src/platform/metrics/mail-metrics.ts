import { channelId } from '@pergamin/contract';
import { Gauge, type Registry } from 'prom-client';
import type { MailServerContact } from '#platform/mail/mail-server.ts';
import type { MailStanding } from '#platform/mail/mail-queue.store.ts';
import { singleFlight } from './single-flight.ts';

interface WaitingNotices {
  readonly channel: string;
  readonly waiting: number;
  readonly oldestSeconds: number;
}

const secondsOf = (moment: Date | null): number => (moment === null ? 0 : moment.getTime() / 1_000);

/** The mail server as this process has met it. */
const observeContact = (registry: Registry, contact: () => MailServerContact): void => {
  const add = (name: string, help: string, valueOf: (contact: MailServerContact) => Date | null): void => {
    const gauge: Gauge = new Gauge({
      name: `pergamin_mail_${name}_timestamp_seconds`,
      help,
      registers: [registry],
      collect: () => gauge.set(secondsOf(valueOf(contact()))),
    });
  };
  add('answered', 'When the mail server last answered this process; 0: never', ({ answeredAt }) => answeredAt);
  add('failed', 'When the mail server could last not be reached or used by this process; 0: never', ({ failedAt }) => failedAt);
};

/** The outbox. While the database is away the last values stay. */
export const observeMail = (
  registry: Registry,
  { readMail, contact }: { readonly readMail: () => Promise<MailStanding>; readonly contact: () => MailServerContact },
): void => {
  observeContact(registry, contact);
  const read = singleFlight(readMail);
  const oldest: Gauge = new Gauge({
    name: 'pergamin_mail_oldest_seconds',
    help: 'How long the oldest mail that waits has waited; notices are counted apart',
    registers: [registry],
    async collect(): Promise<void> {
      const standing = await read();
      if (standing !== undefined) oldest.set(standing.oldestSeconds);
    },
  });
  const mails: Gauge = new Gauge({
    name: 'pergamin_mail',
    help: 'Mail by state: waiting, retried (failed, and tried again), sending, unconfirmed, failed, and sent (of those queued within a day)',
    labelNames: ['state'],
    registers: [registry],
    async collect(): Promise<void> {
      const { oldestSeconds: _, ...counts } = (await read()) ?? { oldestSeconds: 0 };
      for (const [state, count] of Object.entries(counts)) mails.set({ state }, count);
    },
  });
};

export const observeNotices = (registry: Registry, list: () => Promise<readonly WaitingNotices[]>): void => {
  const read = singleFlight(list);
  const add = (name: string, help: string, valueOf: (standing: WaitingNotices) => number): void => {
    const gauge: Gauge = new Gauge({
      name: `pergamin_notices_${name}`,
      help,
      labelNames: ['channel'],
      registers: [registry],
      async collect(): Promise<void> {
        const found = await read();
        if (found === undefined) return;
        for (const channel of channelId.options) {
          const standing = found.find((one) => one.channel === channel);
          gauge.set({ channel }, standing === undefined ? 0 : valueOf(standing));
        }
      },
    });
  };
  add('waiting', 'Notices that wait for their first or next attempt, by channel', ({ waiting }) => waiting);
  add('oldest_seconds', 'How long the oldest notice that waits has waited, by channel', ({ oldestSeconds }) => oldestSeconds);
};

import { listWaitingNotices, makeMailedNoticesDue, type NoticesStanding } from '#features/notices/notices.door.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { listUnsent, type MailQueue, retryMail } from '#platform/mail/mail-queue.ts';
import { openDatabaseHere } from './open-database-here.ts';

export interface OpenMailQueue {
  readonly timeZone: string;
  list(limit: number): Promise<MailQueue & { readonly notices: readonly NoticesStanding[] }>;
  /** Gives how many mails are due now. Waiting notices by mail are due then, too, but with an id. */
  retry(which: Parameters<typeof retryMail>[1]['which']): Promise<number>;
  close(): Promise<void>;
}

/**
 * For `pergamin mail`: the outbox of this environment, beside a portal that runs as well as while none does.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const openMailQueueHere = async (environment: NodeJS.ProcessEnv): Promise<OpenMailQueue> => {
  const { db, settings, close } = await openDatabaseHere(environment);
  return {
    timeZone: settings.timeZone,
    async list(limit) {
      const now = systemClock.now();
      return { ...(await listUnsent(db, { limit, now })), notices: await listWaitingNotices(db, now) };
    },
    async retry(which) {
      const now = systemClock.now();
      if (which === 'waiting') await makeMailedNoticesDue(db, now);
      return retryMail(db, { which, now });
    },
    close,
  };
};

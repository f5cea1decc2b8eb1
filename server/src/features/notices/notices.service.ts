import { noticeLimits } from '@pergamin/contract';
import type { Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import { onOneLine } from '#platform/mail/compose.ts';
import * as reports from './delivery-report.store.ts';
import { isFailure, isFromGateway, readDeliveryReport } from './delivery-report.ts';
import { isDaytime } from './notices.rules.ts';
import * as store from './notices.store.ts';
import type { NoticesParts } from './parts.ts';
import { recordResults } from './results.ts';
import type { Sending } from './sending.ts';

export interface Notices {
  /**
   * Call it after the notifications of these documents were written, in the same transaction: the clients who have one get a mail or an
   * SMS too, if and only if that commits. A publication older than an hour sends none.
   */
  tellOfPublication(trx: Trx, documentIds: readonly string[], at: Date): Promise<void>;
  /** The same of documents that were taken back. */
  tellOfWithdrawal(trx: Trx, documentIds: readonly string[]): Promise<void>;
}

export interface NoticeService extends Notices {
  /** Throws RESOURCE_NOT_FOUND when no notice has this id. */
  reportBounce(bounce: { readonly id: string; readonly reason?: string | undefined }): Promise<void>;
  /** The gateway's report: messages that were not delivered have bounced. Throws RESOURCE_NOT_FOUND for a wrong token. */
  takeReport(token: string, report: unknown): Promise<void>;
  /** Reminds the clients who have not opened a document for as many days as the setting says. */
  remind(): Promise<void>;
  /** Takes up what no job is left for, and forgets reports of what is no notice's. */
  wakeOverdue(): Promise<void>;
}

interface Parts extends Pick<NoticesParts, 'db' | 'webhooks' | 'settings' | 'metrics' | 'clock' | 'log'> {
  readonly sending: Sending;
  readonly ways: store.Ways;
}

const dayMs = 86_400_000;
/** How far back a run looks for due reminders: older ones belong to a time when reminders or the portal were off. */
const catchesUpMs = 7 * dayMs;
const remindersPerStatement = 500;
/** Longer than any job is late, short enough that a lost one is noticed. */
const overdueMs = 10 * 60_000;
const batchesPerSweep = 1_000;

export const createNoticeService = ({ db, webhooks, sending, ways, settings, metrics, clock, log }: Parts): NoticeService => ({
  async tellOfPublication(trx, documentIds, at) {
    const now = clock.now();
    const isFresh = at.getTime() > now.getTime() - noticeLimits.freshForMs;
    if (settings.notices === 'never' || !isFresh || documentIds.length === 0) return;
    const { batches, failed } = await store.insertNews(trx, { kind: 'publication', documentIds, ways, now });
    await sending.wake(batches, { trx });
    await recordResults(trx, failed, { webhooks, metrics, clock });
  },

  async tellOfWithdrawal(trx, documentIds) {
    if (settings.notices === 'never' || documentIds.length === 0) return;
    const { batches, failed } = await store.insertNews(trx, { kind: 'withdrawal', documentIds, ways, now: clock.now() });
    await sending.wake(batches, { trx });
    await recordResults(trx, failed, { webhooks, metrics, clock });
  },

  async reportBounce({ id, reason = 'told by the gateway' }) {
    const unknown = await reports.recordUndelivered({ db, webhooks, metrics, clock }, [{ id, reason: onOneLine(reason) }]);
    if (unknown.length > 0) throw new PortalError('RESOURCE_NOT_FOUND');
  },

  async takeReport(token, report) {
    const gateway = settings.sms?.report;
    if (gateway === undefined || !isFromGateway(token, gateway)) throw new PortalError('RESOURCE_NOT_FOUND');
    const undelivered = readDeliveryReport(report, gateway)
      .filter(({ status }) => isFailure(status, gateway))
      .map(({ id, status }) => ({ id, reason: onOneLine(`the gateway says ${status}`) }));
    // Unknown ids may become known in a moment; or the gateway reports other customers' messages, or more of ours than notices.
    const unknown = await reports.recordUndelivered({ db, webhooks, metrics, clock }, undelivered);
    if (unknown.length > 0) await reports.keepEarly({ db, webhooks, metrics, clock }, unknown);
  },

  async remind() {
    const { notices, noticeReminderDays: days, timeZone } = settings;
    const now = clock.now();
    if (days === undefined || notices === 'never' || !isDaytime(now, timeZone)) return;
    const to = new Date(now.getTime() - days * dayMs);
    const from = new Date(to.getTime() - catchesUpMs);
    let reminders = 0;
    for (let isMore = true; isMore;) {
      const { count } = await db.transaction().execute(async (trx) => {
        const told = await store.insertReminders(trx, { ways, now, from, to, limit: remindersPerStatement });
        await sending.wake(told.batches, { trx });
        await recordResults(trx, told.failed, { webhooks, metrics, clock });
        return told;
      });
      reminders += count;
      isMore = count === remindersPerStatement;
    }
    if (reminders > 0) log.info({ reminders }, 'reminders of unopened documents were queued');
  },

  async wakeOverdue() {
    const batches = await store.listOverdue(db, { before: new Date(clock.now().getTime() - overdueMs), limit: batchesPerSweep });
    await sending.wake(batches);
    await reports.forgetExpired(db, clock.now());
  },
});

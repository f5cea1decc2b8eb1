import { notificationLimits, type Notification } from '@pergamin/contract';
import type { Notices } from '#features/notices/notices.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import * as store from './notifications.store.ts';

/** Notifications of clients. Every event is recorded in the caller's transaction, and told if and only if that commits. */
export interface Notifications {
  /**
   * Call it after the release of these documents, in the same transaction. Documents published more than `newsForMs` (30 days) ago cause no
   * notification.
   */
  tellOfPublication(trx: Trx, documentIds: readonly string[], at: Date): Promise<void>;
  /**
   * These documents were taken back, and stay in the lists as cancelled: told to all who were told of their publication, and to all who have opened them,
   * once each. Call it after the change, in the same transaction.
   */
  tellOfWithdrawal(trx: Trx, withdrawal: store.WithdrawnDocuments): Promise<void>;
  /** The data of these people were changed by the organisation. */
  tellOfAccountUpdates(trx: Trx, personalIds: readonly string[], at: Date): Promise<void>;
}

/** For the room where documents are read. */
export interface ReadDocuments {
  /** The caller has read this document to its end: the notification of it is read, too. */
  settleDocument(caller: ClientCaller, documentId: string): Promise<void>;
}

export interface OwnNotifications {
  listUnread(caller: ClientCaller): Promise<Notification[]>;
  /** Throws RESOURCE_NOT_FOUND for one that is not the caller's, for every reason alike. */
  markRead(caller: ClientCaller, id: string): Promise<void>;
  /** Removes what was read long ago; gives the count. */
  sweep(): Promise<number>;
}

interface Parts {
  readonly db: Db;
  readonly notices: Notices;
  readonly clock: Clock;
}

export const createNotificationService = ({ db, notices, clock }: Parts): Notifications & ReadDocuments & OwnNotifications => {
  const ago = (ms: number): Date => new Date(clock.now().getTime() - ms);
  return {
    async tellOfPublication(trx, documentIds, at) {
      if (documentIds.length === 0 || at < ago(notificationLimits.newsForMs)) return;
      await store.insertPublications(trx, documentIds);
      await notices.tellOfPublication(trx, documentIds, at);
    },

    async tellOfWithdrawal(trx, withdrawal) {
      if (withdrawal.documentIds.length === 0) return;
      await store.insertWithdrawals(trx, withdrawal);
      await notices.tellOfWithdrawal(trx, withdrawal.documentIds);
    },

    async tellOfAccountUpdates(trx, personalIds, at) {
      if (personalIds.length > 0) await store.insertAccountUpdates(trx, { receivers: personalIds, at });
    },

    async listUnread(caller) {
      const rows = await store.listUnread(db, caller);
      return rows.map((row) => ({
        id: row.id,
        type: row.type,
        value: row.document_id ?? caller.personalId,
        name: row.file_name ?? '',
        receiver: caller.personalId,
        timestamp: row.created_at.getTime(),
        read: false,
      }));
    },

    async markRead({ personalId }, id) {
      const isOwn = await store.markRead(db, { id, receiver: personalId, at: clock.now() });
      if (!isOwn) throw new PortalError('RESOURCE_NOT_FOUND');
    },

    settleDocument: ({ personalId }, documentId) => store.settleDocument(db, { documentId, receiver: personalId, at: clock.now() }),

    sweep: () => store.sweepRead(db, { before: ago(notificationLimits.readKeptMs) }),
  };
};

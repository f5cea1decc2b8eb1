import type { Ledger, LedgerReader } from '#features/ledger/ledger.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { ReadDocuments } from '#features/notifications/notifications.door.ts';
import type { Rendering } from '#features/rendering/rendering.door.ts';
import type { Webhooks } from '#features/webhooks/webhooks.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';

/** What the room is made with. */
export interface DocumentsParts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'open' | 'discard' | 'findLock'>;
  readonly rendering: Pick<Rendering, 'poll' | 'openPage' | 'openDrawn' | 'readPageText' | 'forget'>;
  readonly ledger: Pick<Ledger, 'enter' | 'coverSoon' | 'forget'> &
    Pick<LedgerReader, 'prove' | 'receiptOf' | 'entriesOf' | 'findDispute' | 'audit'>;
  readonly metadata: Pick<Metadata, 'definitions'>;
  readonly notifications: ReadDocuments;
  readonly webhooks: Webhooks;
  readonly settings: { readonly ignoreMarkers: readonly string[]; readonly timeZone: string; readonly scrubDays: number };
  readonly clock: Clock;
  readonly log: Log;
}

import type { Rendering } from '#features/rendering/rendering.door.ts';
import type { Ledger, LedgerReader } from '#features/ledger/ledger.door.ts';
import type { Webhooks } from '#features/webhooks/webhooks.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import type { SendingSettings } from '#platform/settings/sending-settings.ts';

/** What the room is made with. */
export interface SentDocumentsParts {
  readonly db: Db;
  readonly objects: Objects;
  readonly pdf: Pick<PdfPool, 'inspect'>;
  readonly rendering: Pick<Rendering, 'poll' | 'openPage' | 'readPageText'>;
  readonly webhooks: Pick<Webhooks, 'tell'>;
  readonly ledger: Pick<Ledger, 'enter' | 'coverSoon'> & Pick<LedgerReader, 'receiptOf'>;
  readonly settings: SendingSettings & { readonly dataDir: string; readonly timeZone: string; readonly sessionAbsoluteMs: number };
  readonly clock: Clock;
  readonly log: Log;
}

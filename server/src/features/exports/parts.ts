import type { LanguageCode } from '@pergamin/contract';
import type { LedgerReader } from '#features/ledger/ledger.door.ts';
import type { ListIds } from '#features/document-lists/document-lists.door.ts';
import type { OwnFiles } from '#features/documents/documents.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { LocalTime } from '#platform/clock/local-time.ts';
import type { Log } from '#platform/log/log.ts';
import type { AcquireLease } from './export-lease.service.ts';

/** What both exports are made with. */
export interface ExportParts {
  readonly ownFiles: OwnFiles;
  readonly listIds: ListIds;
  readonly metadata: Pick<Metadata, 'definitions'>;
  readonly ledger: Pick<LedgerReader, 'receiptOf' | 'policy'>;
  /** Path of verify.html. */
  readonly verifyPage: string;
  readonly acquireLease: AcquireLease;
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly localTime: LocalTime;
  readonly clock: Clock;
  readonly log: Log;
}

import { BrandingError, DemonstrationError, KeyRegisterError, LedgerRepairError } from '#app/start.ts';
import { AlreadyRunningError, EmbeddedPostgresError } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { MigrationError } from '#platform/database/migrate.ts';
import { SettingsError } from '#platform/settings/settings.ts';

/** What an operator can put right is said in a sentence; everything else keeps its stack. */
export const isForOperator = (error: unknown): error is Error =>
  error instanceof SettingsError ||
  error instanceof BrandingError ||
  error instanceof DemonstrationError ||
  error instanceof KeyRegisterError ||
  error instanceof LedgerRepairError ||
  error instanceof AlreadyRunningError ||
  error instanceof EmbeddedPostgresError ||
  error instanceof MigrationError;

import { BrandingError, startPortal } from '#app/start.ts';
import { AlreadyRunningError, EmbeddedPostgresError } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { MigrationError } from '#platform/database/migrate.ts';
import { SettingsError } from '#platform/settings/settings.ts';

/** What an operator can put right is said in a sentence; everything else keeps its stack. */
const isForOperator = (error: unknown): error is Error =>
  error instanceof SettingsError ||
  error instanceof BrandingError ||
  error instanceof AlreadyRunningError ||
  error instanceof EmbeddedPostgresError ||
  error instanceof MigrationError ||
  (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');

try {
  const portal = await startPortal(process.env);
  const stop = (): void => void portal.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  process.stderr.write(
    isForOperator(error) ? `${error.message}\n` : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}

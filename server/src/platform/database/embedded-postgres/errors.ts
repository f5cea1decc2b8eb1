/** The embedded PostgreSQL could not be prepared, started or stopped; the message says what the operator can do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Another living process already serves this data folder. */
export class AlreadyRunningError extends EmbeddedPostgresError {
  override name = 'AlreadyRunningError';
  readonly dataDir: string;
  readonly processId: number | undefined;

  constructor({ dataDir, processId }: { dataDir: string; processId: number | undefined }) {
    super(`Pergamin is already running on ${dataDir}${processId === undefined ? '' : ` (process ${processId})`}`);
    this.dataDir = dataDir;
    this.processId = processId;
  }
}

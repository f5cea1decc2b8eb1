import type { BaseLogger } from 'pino';

/** Where a PostgreSQL database listens. `host` is a host name, or the folder of its unix socket. */
export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

export type DatabaseLog = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

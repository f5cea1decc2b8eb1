import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DatabaseConnection } from '#platform/database/connection.ts';

/** Runs one statement outside any pool: making and dropping databases works from another database only. */
export async function runOnServer(connection: DatabaseConnection, text: string): Promise<void> {
  const client = new Client({ ...connection });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** A name that needs no quotes and no other run uses. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}

/** Understands `postgres://user:password@host:port/database`, and a socket's folder as `%2F…` in place of the host or as `?host=/…`. */
export function parseDatabaseUrl(text: string): DatabaseConnection {
  const url = new URL(text);
  return {
    host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname),
    port: Number(url.port === '' ? '5432' : url.port),
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
  };
}

export function formatDatabaseUrl({ host, port, user, database, password }: DatabaseConnection): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  return `postgres://${encodeURIComponent(user)}${secret}@${encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`;
}

/** The same database as another role; where roles have passwords, all of them have the same one. */
export const asRole = (connection: DatabaseConnection, role: string): DatabaseConnection => ({ ...connection, user: role });

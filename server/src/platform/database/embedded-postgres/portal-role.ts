import { Client } from 'pg';
import type { DatabaseConnection } from '../connection.ts';
import { PORTAL_ROLE } from './cluster.ts';

/**
 * Makes the role that the portal itself connects as: it owns nothing and may create nothing. What it may do is granted after migrations. It has
 * the password of the connection, if that has one.
 */
export async function makePortalRole(connection: DatabaseConnection): Promise<void> {
  const client = new Client({ ...connection });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [PORTAL_ROLE]);
    if (rowCount !== 0) return;
    const password = connection.password === undefined ? '' : ` password ${client.escapeLiteral(connection.password)}`;
    await client.query(`create role ${PORTAL_ROLE} login nosuperuser nocreatedb nocreaterole noreplication${password}`);
  } finally {
    await client.end();
  }
}

import { namedQuery, type NamedStatement } from '#platform/database/database.ts';
import type { QueryPool } from '#platform/database/read-pool.ts';
import { cifsOf, principalsOf, type Reader } from './visibility.ts';

/** A person or group that documents are delivered to, and while when the caller is it; moments as PostgreSQL writes them. */
export interface Principal {
  readonly name: string;
  readonly since: string | null;
  readonly until: string | null;
}

/** A `with` part of statements whose $1 is the customer numbers. */
export const ownPrincipals = principalsOf('$1::text[]');

const statement: NamedStatement = {
  name: 'principals',
  text: `with principal as (${ownPrincipals}) select name, since::text as since, until::text as until from principal`,
};

/** The caller's own, without the public one. */
export const listPrincipals = (pool: QueryPool, reader: Reader): Promise<Principal[]> =>
  namedQuery<Principal & { name: string }>(pool, statement, [cifsOf(reader)]);

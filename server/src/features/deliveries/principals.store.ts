import type { Pool } from 'pg';
import { namedQuery, type NamedStatement } from '#platform/database/database.ts';
import { cifsOf, principalsOf, publicPrincipal, type Reader } from './visibility.ts';

/** Somebody or something that documents are delivered to, and while when the caller is it; moments as PostgreSQL writes them. */
export interface Principal {
  readonly name: string;
  readonly since: string | null;
  readonly until: string | null;
  /** Whether some of what was delivered to it has two owners. */
  readonly isJoint: boolean;
}

/** A `with` part of statements whose $1 is the customer numbers. */
export const ownPrincipals = principalsOf('$1::text[]');

/**
 * A `with` part after `principal`: changes with every delivery to one of them, and when the caller becomes or ceases to be one. Each is looked
 * up by itself: how many there are no planner knows, and it would read the revisions of everybody.
 */
export const stateOfPrincipals = `
  select concat(sum((select revision from principal_revision where principal_revision.principal = principal.name)), ':',
    sum(hashtextextended(concat_ws(' ', principal.name, since, until), 0))) as revision
  from principal`;

const statement = (hasPublic: boolean): NamedStatement => ({
  name: `principals${hasPublic ? '-public' : ''}`,
  text: `
    with principal as (${ownPrincipals} ${hasPublic ? `union all ${publicPrincipal}` : ''}), state as (${stateOfPrincipals})
    select name, since::text as since, until::text as until, revision,
      exists (select from delivery where delivery.principal = principal.name and second_cif is not null) as "isJoint"
    from principal, state`,
});

const ownStatement = statement(false);
const statementWithPublic = statement(true);

export const listPrincipals = async (
  pool: Pick<Pool, 'query'>,
  reader: Reader,
  { hasPublic }: { hasPublic: boolean },
): Promise<{ principals: Principal[]; revision: string }> => {
  const rows = await namedQuery<Principal & { revision: string }>(pool, hasPublic ? statementWithPublic : ownStatement, [cifsOf(reader)]);
  return { principals: rows, revision: rows[0]?.revision ?? '' };
};

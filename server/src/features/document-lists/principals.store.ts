import type { Pool } from 'pg';
import type { MetadataReader } from '#features/metadata/metadata.door.ts';
import { namedQuery, type NamedStatement } from '#platform/database/database.ts';

/** Somebody or something that documents are delivered to, and while when the caller is it; moments as PostgreSQL writes them. */
export interface Principal {
  readonly name: string;
  readonly since: string | null;
  readonly until: string | null;
  /** Whether some of what was delivered to it has two owners. */
  readonly isJoint: boolean;
}

export const cifsOf = ({ cif, cif2 }: MetadataReader): string[] => (cif2 === null || cif2 === cif ? [cif] : [cif, cif2]);

/** A `with` part: who the owner of the customer numbers $1 is, groups while they were a member (G7) and each moment once. */
export const ownPrincipals = `
  select 'cif:' || number as name, null::timestamptz as since, null::timestamptz as until from unnest($1::text[]) as own (number)
  union all
  select 'group:' || group_id, lower(membership), upper(membership) from (
    select group_id, unnest(range_agg(tstzrange(since, until))) as membership from group_member
    where cif = any($1::text[]) and (until is null or until > since) group by group_id
  ) as joined`;
export const publicPrincipal = `select 'public' as name, null::timestamptz as since, null::timestamptz as until`;

export const whileMember = `(principal.since is null or published_at >= principal.since) and (principal.until is null or published_at < principal.until)`;

/**
 * A `with` part after `principal`: changes with every delivery to one of them, and when the caller becomes or ceases to be one. Each is looked
 * up by itself: how many there are no planner knows, and it would read the revisions of everybody.
 */
const stateOfPrincipals = `
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
  reader: MetadataReader,
  { hasPublic }: { hasPublic: boolean },
): Promise<{ principals: Principal[]; revision: string }> => {
  const rows = await namedQuery<Principal & { revision: string }>(pool, hasPublic ? statementWithPublic : ownStatement, [cifsOf(reader)]);
  return { principals: rows, revision: rows[0]?.revision ?? '' };
};

import { sql } from 'kysely';
import type { Trx } from '#platform/database/schema.ts';

interface Membership {
  readonly cif: string;
  readonly groups: readonly string[];
}

/**
 * Membership is history: a former member keeps what was delivered to the group before (G7). When a customer number comes twice, the later one counts.
 */
export const replaceGroups = async (trx: Trx, memberships: readonly Membership[], now: Date): Promise<void> => {
  if (memberships.length === 0) return;
  const groupsOf = new Map(memberships.map(({ cif, groups }) => [cif, new Set(groups)]));
  const wanted = [...groupsOf].flatMap(([cif, groups]) => [...groups].map((group) => [cif, group] as const));
  const cifs = wanted.map(([cif]) => cif);
  const groups = wanted.map(([, group]) => group);
  await sql`update group_member m set until = ${now}
    where m.cif = any(${[...groupsOf.keys()]}::text[]) and m.until is null
      and not exists (
        select from unnest(${cifs}::text[], ${groups}::text[]) as wanted (cif, group_id)
        where wanted.cif = m.cif and wanted.group_id = m.group_id
      )`.execute(trx);
  await sql`insert into group_member (group_id, cif, since)
    select wanted.group_id, wanted.cif, ${now}
    from unnest(${cifs}::text[], ${groups}::text[]) as wanted (cif, group_id)
    where not exists (select from group_member m where m.group_id = wanted.group_id and m.cif = wanted.cif and m.until is null)
    -- Left and joined again at the same moment: never left.
    on conflict (group_id, cif, since) do update set until = null`.execute(trx);
};

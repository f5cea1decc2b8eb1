import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';

interface Membership {
  readonly cif: string;
  readonly groups: readonly string[];
}

/** Who joins and who leaves a group. */
export interface MembershipChange {
  readonly id: string;
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

interface Pair {
  readonly groupId: string;
  readonly cif: string;
}

const isIn = (pairs: readonly Pair[]): ((pair: Pair) => boolean) => {
  const groups = Map.groupBy(pairs, ({ groupId }) => groupId);
  const members = new Map([...groups].map(([id, those]) => [id, new Set(those.map(({ cif }) => cif))]));
  return ({ groupId, cif }) => members.get(groupId)?.has(cif) === true;
};

/** The groups that change, in order. */
const compare = (present: readonly Pair[], wanted: readonly Pair[]): MembershipChange[] => {
  const [isPresent, isWanted] = [isIn(present), isIn(wanted)];
  const joined = Map.groupBy(
    wanted.filter((pair) => !isPresent(pair)),
    ({ groupId }) => groupId,
  );
  const left = Map.groupBy(
    present.filter((pair) => !isWanted(pair)),
    ({ groupId }) => groupId,
  );
  const cifsOf = (pairs: readonly Pair[] = []): string[] => [...new Set(pairs.map(({ cif }) => cif))].toSorted();
  return [...new Set([...joined.keys(), ...left.keys()])]
    .toSorted()
    .map((id) => ({ id, joined: cifsOf(joined.get(id)), left: cifsOf(left.get(id)) }));
};

const presentOf = (db: Db, by: 'cif' | 'group_id', values: readonly string[]): Promise<Pair[]> =>
  db
    .selectFrom('group_member')
    .select(['group_id as groupId', 'cif'])
    .where(by, '=', sql<string>`any(${values}::text[])`)
    .where('until', 'is', null)
    .execute();

/** Membership is history: a former member keeps what was delivered to the group before (G7). */
export const changeMembers = async (trx: Trx, changes: readonly MembershipChange[], now: Date): Promise<void> => {
  const pairs = (side: 'joined' | 'left') => {
    const all = changes.flatMap((change) => change[side].map((cif) => ({ groupId: change.id, cif })));
    return sql`unnest(${all.map(({ groupId }) => groupId)}::text[], ${all.map(({ cif }) => cif)}::text[]) as changed (group_id, cif)`;
  };
  await sql`update group_member m set until = ${now} from ${pairs('left')}
    where m.group_id = changed.group_id and m.cif = changed.cif and m.until is null`.execute(trx);
  await sql`insert into group_member (group_id, cif, since)
    select changed.group_id, changed.cif, ${now} from ${pairs('joined')}
    -- Left and joined again at the same moment: never left.
    on conflict (group_id, cif, since) do update set until = null`.execute(trx);
};

/** The groups of these customer numbers are these from now on. When a customer number comes twice, the later one counts. */
export const replaceGroups = async (trx: Trx, memberships: readonly Membership[], now: Date): Promise<MembershipChange[]> => {
  if (memberships.length === 0) return [];
  const groupsOf = new Map(memberships.map(({ cif, groups }) => [cif, groups]));
  const wanted = [...groupsOf].flatMap(([cif, groups]) => groups.map((groupId) => ({ groupId, cif })));
  const changes = compare(await presentOf(trx, 'cif', [...groupsOf.keys()]), wanted);
  if (changes.length > 0) await changeMembers(trx, changes, now);
  return changes;
};

/** What would change if these were the members of these groups. */
export const compareMembers = async (
  db: Db,
  groups: readonly { readonly id: string; readonly members: readonly string[] }[],
): Promise<MembershipChange[]> => {
  const wanted = groups.flatMap(({ id, members }) => members.map((cif) => ({ groupId: id, cif })));
  const ids = groups.map(({ id }) => id);
  return compare(await presentOf(db, 'group_id', ids), wanted);
};

/** Those that have or had members. */
export const listGroups = (db: Db): Promise<{ id: string; members: number }[]> =>
  db
    .selectFrom('group_member')
    .select('group_id as id')
    .select(({ fn }) => fn.count<number>('cif').filterWhere('until', 'is', null).as('members'))
    .groupBy('group_id')
    .orderBy('group_id')
    .execute();

export const hasGroup = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('group_member').select('cif').where('group_id', '=', id).limit(1).executeTakeFirst()) !== undefined;

export const listMembers = async (db: Db, { id, after, limit }: { id: string; after: string; limit: number }): Promise<string[]> => {
  const rows = await db
    .selectFrom('group_member')
    .select('cif')
    .where('group_id', '=', id)
    .where('until', 'is', null)
    .where(sql<boolean>`cif collate "C" > ${after}`)
    .orderBy(sql`cif collate "C"`)
    .limit(limit)
    .execute();
  return rows.map(({ cif }) => cif);
};

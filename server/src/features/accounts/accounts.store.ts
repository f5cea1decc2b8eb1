import type { ChannelId, ClientRecord, UserInfo } from '@pergamin/contract';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

export const findClient = (db: Kysely<Database>, personalId: string) =>
  db
    .selectFrom('client')
    .select(['personal_id as personalId', 'cif', 'cif2', 'state', 'first_name as firstName', 'last_name as lastName', 'managed'])
    .where('personal_id', '=', personalId)
    .executeTakeFirst();

export const findUserInfo = (db: Kysely<Database>, personalId: string): Promise<UserInfo | undefined> =>
  db
    .selectFrom('client')
    .select(['personal_id as personalId', 'first_name as firstName', 'last_name as lastName', 'managed'])
    .where('personal_id', '=', personalId)
    .executeTakeFirst();

/**
 * Clients are written by one call at a time: of two that bring the same new person one creates and the other finds, nobody joins a group
 * twice, and no two wait for each other.
 */
export const lockClients = async (trx: Transaction<Database>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('pergamin.client'))`.execute(trx);
};

export const findContact = (db: Kysely<Database>, personalId: string) =>
  db.selectFrom('client').select(['email', 'managed']).where('personal_id', '=', personalId).executeTakeFirst();

/** A channel whose address or phone is gone is no channel. */
export const findAccount = (db: Kysely<Database>, personalId: string) =>
  db
    .selectFrom('client')
    .select(['personal_id as personalId', 'first_name as firstName', 'last_name as lastName', 'email', 'phone', 'managed'])
    .select('previous_sign_in_at as previousSignInAt')
    .select(
      sql<ChannelId | null>`case preferred_channel when 'EMAIL' then case when email is not null then 'EMAIL' end
        when 'SMS' then case when phone is not null then 'SMS' end end`.as('preferredChannelId'),
    )
    .where('personal_id', '=', personalId)
    .executeTakeFirst();

/** False, and nothing is changed: the client cannot be reached that way. */
export const setPreferredChannel = async (
  db: Kysely<Database>,
  { personalId, channel }: { personalId: string; channel: ChannelId },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('client')
    .set({ preferred_channel: channel })
    .where('personal_id', '=', personalId)
    .where(channel === 'EMAIL' ? 'email' : 'phone', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

interface Written {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** Where the person could be reached until now; null when nobody was known under the id. */
  readonly previous: { readonly email: string | null; readonly phone: string | null } | null;
}

/** `unchanged` writes nothing, so that a repeated import leaves no trace. */
export const upsertClient = async (
  trx: Transaction<Database>,
  record: ClientRecord,
  { demo, now }: { demo: boolean; now: Date },
): Promise<Written> => {
  const columns = {
    cif: record.cif,
    cif2: record.cif2 ?? null,
    first_name: record.firstName,
    last_name: record.lastName,
    email: record.email ?? null,
    phone: record.phone ?? null,
    managed: record.managed ?? false,
  };
  const present = await trx
    .selectFrom('client')
    .select(['cif', 'cif2', 'first_name', 'last_name', 'email', 'phone', 'managed'])
    .where('personal_id', '=', record.personalId)
    .forUpdate()
    .executeTakeFirst();
  if (present === undefined) {
    await trx
      .insertInto('client')
      .values({ personal_id: record.personalId, ...columns, demo, created_at: now, updated_at: now })
      .execute();
    return { outcome: 'created', previous: null };
  }
  const isSame = isDeepStrictEqual(present, columns);
  if (isSame) return { outcome: 'unchanged', previous: present };
  await trx
    .updateTable('client')
    .set({ ...columns, updated_at: now })
    .where('personal_id', '=', record.personalId)
    .execute();
  return { outcome: 'changed', previous: present };
};

/** Membership is history: who left keeps what was delivered to the group before (G7). */
export const replaceGroups = async (
  trx: Transaction<Database>,
  { cif, groups, now }: { cif: string; groups: readonly string[]; now: Date },
): Promise<void> => {
  let leaving = trx.updateTable('group_member').set({ until: now }).where('cif', '=', cif).where('until', 'is', null);
  if (groups.length > 0) leaving = leaving.where('group_id', 'not in', groups);
  await leaving.execute();
  for (const group of new Set(groups))
    await sql`insert into group_member (group_id, cif, since)
      select ${group}, ${cif}, ${now}
      where not exists (select from group_member where group_id = ${group} and cif = ${cif} and until is null)
      -- Left and joined again at the same moment: never left.
      on conflict (group_id, cif, since) do update set until = null`.execute(trx);
};

export const recordSignIn = async (db: Kysely<Database>, personalId: string, at: Date): Promise<void> => {
  await db
    .updateTable('client')
    .set((row) => ({ previous_sign_in_at: row.ref('last_sign_in_at'), last_sign_in_at: at }))
    .where('personal_id', '=', personalId)
    .execute();
};

export const findUnknownCifs = async (db: Kysely<Database>, cifs: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ cif: string }>`
    select wanted.cif from unnest(${cifs}::text[]) as wanted (cif)
    where not exists (select from client c where c.cif = wanted.cif)
      and not exists (select from client c where c.cif2 = wanted.cif)`.execute(db);
  return rows.map((row) => row.cif);
};

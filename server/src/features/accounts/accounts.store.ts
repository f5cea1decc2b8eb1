import type { ChannelId, LanguageCode, UserInfo } from '@pergamin/contract';
import { type Kysely, sql } from 'kysely';
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

export const findContact = (db: Kysely<Database>, personalId: string) =>
  db
    .selectFrom('client')
    .select(['email', 'managed'])
    .select((row) => row.fn.coalesce('chosen_language', 'language').as('language'))
    .where('personal_id', '=', personalId)
    .executeTakeFirst();

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

export const recordSignIn = async (db: Kysely<Database>, personalId: string, at: Date): Promise<void> => {
  await db
    .updateTable('client')
    .set((row) => ({ previous_sign_in_at: row.ref('last_sign_in_at'), last_sign_in_at: at }))
    .where('personal_id', '=', personalId)
    .execute();
};

/** Null: mail is in the language of the record. */
export const setChosenLanguage = async (db: Kysely<Database>, personalId: string, language: LanguageCode | null): Promise<void> => {
  await db
    .updateTable('client')
    .set({ chosen_language: language })
    .where('personal_id', '=', personalId)
    .where('chosen_language', 'is distinct from', language)
    .execute();
};

export const findUnknownCifs = async (db: Kysely<Database>, cifs: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ cif: string }>`
    select wanted.cif from unnest(${cifs}::text[]) as wanted (cif)
    where not exists (select from client c where c.cif = wanted.cif)
      and not exists (select from client c where c.cif2 = wanted.cif)`.execute(db);
  return rows.map((row) => row.cif);
};

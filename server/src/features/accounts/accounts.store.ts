import type { ChannelId, LanguageCode, UserInfo } from '@pergamin/contract';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { namedQuery, type NamedStatement } from '#platform/database/database.ts';
import type { Db } from '#platform/database/schema.ts';

export const findUserInfo = (db: Db, personalId: string): Promise<UserInfo | undefined> =>
  db
    .selectFrom('client')
    .select(['personal_id as personalId', 'first_name as firstName', 'last_name as lastName', 'managed'])
    .select((row) => row.fn.coalesce('chosen_language', 'language').as('language'))
    .where('personal_id', '=', personalId)
    .executeTakeFirst();

export const findContact = (db: Db, personalId: string) =>
  db
    .selectFrom('client')
    .select(['email', 'email_changed_at as emailChangedAt', 'managed', 'first_name as firstName', 'last_name as lastName'])
    .select((row) => row.fn.coalesce('chosen_language', 'language').as('language'))
    .where('personal_id', '=', personalId)
    .where('state', '<>', 'DISABLED')
    .executeTakeFirst();

/** A channel whose address or phone is gone is no channel. */
export const findAccount = (db: Db, personalId: string) =>
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
  db: Db,
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

export const setLanguage = async (db: Db, personalId: string, language: LanguageCode): Promise<void> => {
  await db.updateTable('client').set({ chosen_language: language }).where('personal_id', '=', personalId).execute();
};

/** A part of a statement: the people whom this query names sign in now. */
export const recordSignInsText = (personalIds: string, at: string): string =>
  `update client set previous_sign_in_at = last_sign_in_at, last_sign_in_at = ${at} where personal_id in (${personalIds})`;

const welcomeStatement: NamedStatement = {
  name: 'accounts-welcome',
  text: `with kept as (
      update client set chosen_language = $2
        where personal_id = $1 and managed = $3 and $2::text is not null and chosen_language is distinct from $2)
    select personal_id as "personalId", managed from client where personal_id = $1 and state <> 'DISABLED'`,
};

/** `language`, null: mail is in the language that it was in. */
export const welcome = async (
  pool: Pool,
  personalId: string,
  { language, managed }: { language: LanguageCode | null; managed: boolean },
): Promise<{ personalId: string; managed: boolean } | undefined> => {
  const [row] = await namedQuery<{ personalId: string; managed: boolean }>(pool, welcomeStatement, [personalId, language, managed]);
  return row;
};

export const findUnknownCifs = async (db: Db, cifs: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ cif: string }>`
    select wanted.cif from unnest(${cifs}::text[]) as wanted (cif)
    where not exists (select from client c where c.cif = wanted.cif)
      and not exists (select from client c where c.cif2 = wanted.cif)`.execute(db);
  return rows.map((row) => row.cif);
};

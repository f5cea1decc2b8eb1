import type { ClientRecord, LanguageCode } from '@pergamin/contract';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import { beginsQuietTime } from './accounts.rules.ts';

/**
 * Serialises imports of clients: of two calls that bring the same new person one creates and the other finds, a group is joined once,
 * and no two calls deadlock.
 */
export const lockClients = async (trx: Trx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('pergamin.client'))`.execute(trx);
};

/** Those of these people who are the organisation's own, and no demonstration. */
export const listOwn = async (db: Db, personalIds: readonly string[]): Promise<string[]> => {
  if (personalIds.length === 0) return [];
  const rows = await db
    .selectFrom('client')
    .select('personal_id')
    .where('personal_id', 'in', personalIds)
    .where('demo', '=', false)
    .execute();
  return rows.map((row) => row.personal_id);
};

export interface Written {
  readonly record: ClientRecord;
  readonly outcome: 'created' | 'changed' | 'unchanged';
  /** What was known of the person until now; null when the id was unknown. */
  readonly previous: Columns | null;
  /** What is known from now on: what the record left out is as it was. */
  readonly current: Columns;
  /** Of mail to this person from now on. */
  readonly language: LanguageCode;
  /** When the address replaced another one; null when it is the first. */
  readonly emailChangedAt: Date | null;
}

interface Columns {
  readonly cif: string;
  readonly cif2: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly managed: boolean;
  readonly language: LanguageCode;
}

/** What is left out stays as it was; null removes it. */
const columnsOf = (record: ClientRecord, { previous, standard }: { previous: Columns | null; standard: LanguageCode }): Columns => {
  const { cif2 = previous?.cif2 ?? null, email = previous?.email ?? null, phone = previous?.phone ?? null } = record;
  const { managed = previous?.managed ?? false, language = previous?.language ?? standard } = record;
  return { cif: record.cif, cif2, first_name: record.firstName, last_name: record.lastName, email, phone, managed, language };
};

const readPresent = async (trx: Trx, records: readonly ClientRecord[]) => {
  const rows = await trx
    .selectFrom('client')
    .select(['personal_id', 'cif', 'cif2', 'first_name', 'last_name', 'email', 'phone', 'managed', 'language', 'chosen_language', 'demo'])
    .select(['email_changed_at', 'last_sign_in_at'])
    .where(
      'personal_id',
      'in',
      records.map(({ personalId }) => personalId),
    )
    .orderBy('personal_id')
    .forUpdate()
    .execute();
  return new Map(
    rows.map(({ personal_id, chosen_language, demo, email_changed_at: emailChangedAt, last_sign_in_at: lastSignIn, ...columns }) => [
      personal_id,
      { columns, chosen_language, demo, address: { email: columns.email, emailChangedAt, hasSignedIn: lastSignIn !== null } },
    ]),
  );
};

/**
 * One read and one write for any number of records; each person once. Throws RESOURCE_DUPLICATE for a person of the
 * demonstration, which is removed one day. Unchanged records are not written, so that a repeated import
 * leaves no trace.
 */
export const upsertClients = async (
  trx: Trx,
  records: readonly ClientRecord[],
  { demo, now, standard }: { demo: boolean; now: Date; standard: LanguageCode },
): Promise<Written[]> => {
  if (records.length === 0) return [];
  const present = await readPresent(trx, records);
  const rows: (Columns & { personal_id: string; email_changed_at: Date | null })[] = [];
  const written = records.map((record, index): Written => {
    const found = present.get(record.personalId);
    const previous = found?.columns ?? null;
    const current = columnsOf(record, { previous, standard });
    const language = found?.chosen_language ?? current.language;
    if (found !== undefined && found.demo !== demo)
      throw new PortalError('RESOURCE_DUPLICATE', {
        fields: { [`items.${index}.personalId`]: 'belongs to the demonstration: remove it first' },
      });
    const isQuiet = found !== undefined && beginsQuietTime(found.address, current.email);
    const emailChangedAt = isQuiet ? now : (found?.address.emailChangedAt ?? null);
    if (isDeepStrictEqual(previous, current)) return { record, outcome: 'unchanged', previous, current, language, emailChangedAt };
    rows.push({ personal_id: record.personalId, ...current, email_changed_at: emailChangedAt });
    return { record, outcome: previous === null ? 'created' : 'changed', previous, current, language, emailChangedAt };
  });
  if (rows.length > 0)
    await trx
      .insertInto('client')
      .values(rows.map((row) => ({ ...row, demo, created_at: now, updated_at: now })))
      .onConflict((conflict) =>
        conflict.column('personal_id').doUpdateSet((row) => ({
          cif: row.ref('excluded.cif'),
          cif2: row.ref('excluded.cif2'),
          first_name: row.ref('excluded.first_name'),
          last_name: row.ref('excluded.last_name'),
          email: row.ref('excluded.email'),
          email_changed_at: row.ref('excluded.email_changed_at'),
          phone: row.ref('excluded.phone'),
          managed: row.ref('excluded.managed'),
          language: row.ref('excluded.language'),
          updated_at: row.ref('excluded.updated_at'),
        })),
      )
      .execute();
  return written;
};

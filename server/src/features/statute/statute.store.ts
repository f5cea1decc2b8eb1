import { sql } from 'kysely';
import type { Db, PageSize, Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import { isWithdrawn } from './withdrawals.store.ts';

export interface StatuteVersion {
  readonly id: string;
  readonly version: string;
  readonly effectiveFrom: Date;
  readonly sha256: string;
  readonly changes: string | null;
  readonly pageCount: number;
}

export interface Statute extends StatuteVersion {
  readonly objectKey: string;
  readonly size: number;
  readonly pageSizes: PageSize[];
}

const versionColumns = ['id', 'version', 'effective_from as effectiveFrom', 'sha256', 'changes', 'page_count as pageCount'] as const;
const columns = [...versionColumns, 'object_key as objectKey', 'size', 'page_sizes as pageSizes'] as const;

/** Those that were not withdrawn, latest first; of two that take effect at the same moment, the one published later is in force. */
export const listVersions = (db: Db): Promise<StatuteVersion[]> =>
  db
    .selectFrom('statute')
    .select(versionColumns)
    .where((where) =>
      where.not(
        where.exists(where.selectFrom('statute_withdrawal as w').select('w.statute_id').whereRef('w.statute_id', '=', 'statute.id')),
      ),
    )
    .orderBy('effective_from', 'desc')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** Throws RESOURCE_NOT_FOUND. */
export const getStatute = (db: Db, id: string): Promise<Statute> =>
  db
    .selectFrom('statute')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new PortalError('RESOURCE_NOT_FOUND'));

export const getStatuteByVersion = (db: Db, version: string): Promise<Statute & { readonly demo: boolean }> =>
  db.selectFrom('statute').select(columns).select('demo').where('version', '=', version).executeTakeFirstOrThrow();

/** False when this version exists. */
export const insertStatute = async (
  db: Db,
  { publishedAt, demo, ...statute }: Statute & { publishedAt: Date; demo: boolean },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('statute')
    .values({
      id: statute.id,
      version: statute.version,
      effective_from: statute.effectiveFrom,
      changes: statute.changes,
      object_key: statute.objectKey,
      sha256: statute.sha256,
      size: statute.size,
      page_count: statute.pageCount,
      page_sizes: JSON.stringify(statute.pageSizes),
      published_at: publishedAt,
      demo,
    })
    .onConflict((conflict) => conflict.column('version').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

export const hasAccepted = async (db: Db, { personalId, id }: { personalId: string; id: string }): Promise<boolean> => {
  const row = await db
    .selectFrom('statute_acceptance')
    .select('statute_id')
    .where('personal_id', '=', personalId)
    .where('statute_id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * The first acceptance is kept. False, and there is none, when the version was withdrawn: a withdrawal under way holds the lock, and what it did is
 * read in a statement after it.
 */
export const insertAcceptance = async (
  trx: Trx,
  { personalId, statute, at }: { personalId: string; statute: StatuteVersion; at: Date },
): Promise<boolean> => {
  await trx.selectFrom('statute').select('id').where('id', '=', statute.id).forKeyShare().execute();
  if (await isWithdrawn(trx, statute.id)) return false;
  await trx
    .insertInto('statute_acceptance')
    .values({ personal_id: personalId, statute_id: statute.id, version: statute.version, sha256: statute.sha256, accepted_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
};

/** The pages of a version that a person has reached; `notShown`: those of them that could not be shown. */
export const findPages = async (
  db: Db,
  { personalId, id }: { personalId: string; id: string },
): Promise<{ readonly pages: number[]; readonly notShown: number[] }> => {
  const row = await db
    .selectFrom('statute_mark')
    .select(['pages', 'pages_not_shown as notShown'])
    .where('personal_id', '=', personalId)
    .where('statute_id', '=', id)
    .executeTakeFirst();
  return row ?? { pages: [], notShown: [] };
};

interface ReachedPage {
  readonly personalId: string;
  readonly id: string;
  readonly page: number;
  /** False: the viewer said in its place that it cannot be shown. */
  readonly isShown: boolean;
}

/** False when there is no such statute, or it has no such page. */
export const markPage = async (db: Db, { personalId, id, page, isShown }: ReachedPage): Promise<boolean> => {
  const { rows } = await sql`
    with reached as (select id from statute where id = ${id}::uuid and page_count >= ${page}::int),
    marked as (
      insert into statute_mark (personal_id, statute_id, pages, pages_not_shown)
      select ${personalId}, id, array[${page}::int], case when ${isShown} then '{}' else array[${page}::int] end from reached
      on conflict (personal_id, statute_id) do update set
        pages = array(select distinct page from unnest(statute_mark.pages || excluded.pages) as all_reached (page) order by page),
        pages_not_shown = case
          when ${isShown} then array_remove(statute_mark.pages_not_shown, ${page}::int)
          else array(select page from unnest(statute_mark.pages_not_shown || excluded.pages_not_shown) as bad (page) order by page)
        end
        where not statute_mark.pages @> excluded.pages or ${isShown} and statute_mark.pages_not_shown @> excluded.pages
    )
    select id from reached`.execute(db);
  return rows.length > 0;
};

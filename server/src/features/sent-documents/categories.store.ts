import type { Category } from '@pergamin/contract';
import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import { invalidField } from '#platform/http/errors.ts';

export interface Named {
  readonly id: string;
  readonly name: { readonly pl: string; readonly en: string };
}

export interface KeptCategory extends Named {
  readonly retentionDays: number | null;
  readonly deleted: boolean;
  readonly demo: boolean;
  readonly types: readonly KeptType[];
}

export interface KeptType extends Named {
  readonly deleted: boolean;
}

/** What can be chosen, and what the client has sent something of. */
export const listCategoriesOf = async (db: Db, personalId: string): Promise<Category[]> => {
  const used = sql`select from sent_document s where s.personal_id = ${personalId}`;
  const { rows } = await sql<Omit<Category, 'createdOn'> & { createdAt: Date }>`
    select c.id, json_build_object('pl', c.name_pl, 'en', c.name_en) as name, c.deleted, c.created_at as "createdAt", coalesce(t.types, '[]') as types
    from document_category c
    left join lateral (
      select json_agg(
        json_build_object('id', t.id, 'name', json_build_object('pl', t.name_pl, 'en', t.name_en), 'deleted', t.deleted or c.deleted)
        order by t.position, t.id
      ) as types
      from document_type t
      where t.category_id = c.id and (not (t.deleted or c.deleted) or exists (${used} and s.type_id = t.id))
    ) t on true
    where not c.deleted or exists (${used} and s.category_id = c.id)
    order by c.position, c.id`.execute(db);
  return rows.map(({ createdAt, ...category }) => ({ ...category, createdOn: createdAt.getTime() }));
};

interface Pair {
  readonly category: Named;
  readonly type: Named;
  readonly retentionDays: number | null;
}

/** Throws VALIDATION_ERROR when the two do not belong together, or either cannot be chosen. */
export const getPair = async (db: Db, { categoryId, typeId }: { categoryId: string; typeId: string }): Promise<Pair> => {
  const { rows } = await sql<Pair>`
    select json_build_object('id', c.id, 'name', json_build_object('pl', c.name_pl, 'en', c.name_en)) as category,
      json_build_object('id', t.id, 'name', json_build_object('pl', t.name_pl, 'en', t.name_en)) as type, c.retention_days as "retentionDays"
    from document_type t join document_category c on c.id = t.category_id
    where t.id = ${typeId} and c.id = ${categoryId} and not t.deleted and not c.deleted`.execute(db);
  const [pair] = rows;
  if (pair === undefined) throw invalidField('typeId', 'not a type of this category, or not to be chosen any more');
  return pair;
};

/** Any number; every process takes the same. Senders take it shared: a row lock of each would be written each time. */
const categoriesLock = 7_340_912_005;

/** Expression that, in a statement of its own, keeps all categories as they are until the transaction ends. */
export const keepingCategories = sql`pg_advisory_xact_lock_shared(${categoriesLock})`;

/** All categories in order, locked against changes until the transaction ends. */
export const lockCategories = async (trx: Trx): Promise<KeptCategory[]> => {
  await sql`select pg_advisory_xact_lock(${categoriesLock})`.execute(trx);
  await sql`lock table document_category, document_type in share row exclusive mode`.execute(trx);
  const { rows } = await sql<KeptCategory>`
    select c.id, json_build_object('pl', c.name_pl, 'en', c.name_en) as name, c.retention_days as "retentionDays", c.deleted, c.demo,
      coalesce((
        select json_agg(json_build_object('id', t.id, 'name', json_build_object('pl', t.name_pl, 'en', t.name_en), 'deleted', t.deleted)
          order by t.position, t.id)
        from document_type t where t.category_id = c.id
      ), '[]') as types
    from document_category c order by c.position, c.id`.execute(trx);
  return rows;
};

/** Stores the types in the given order, which must name every existing one. */
export const keepCategory = async (trx: Trx, { id, name, retentionDays, deleted, demo, types }: KeptCategory, at: Date): Promise<void> => {
  await sql`
    insert into document_category (id, name_pl, name_en, retention_days, deleted, demo, position, created_at)
    select ${id}, ${name.pl}, ${name.en}, ${retentionDays}::int, ${deleted}, ${demo}, coalesce(max(position), 0) + 1, ${at}::timestamptz
    from document_category
    on conflict (id) do update set name_pl = excluded.name_pl, name_en = excluded.name_en, retention_days = excluded.retention_days,
      deleted = excluded.deleted, demo = excluded.demo`.execute(trx);
  if (types.length === 0) return;
  await trx
    .insertInto('document_type')
    .values(
      types.map((type, position) => ({
        id: type.id,
        category_id: id,
        name_pl: type.name.pl,
        name_en: type.name.en,
        deleted: type.deleted,
        position,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        name_pl: row.ref('excluded.name_pl'),
        name_en: row.ref('excluded.name_en'),
        deleted: row.ref('excluded.deleted'),
        position: row.ref('excluded.position'),
      })),
    )
    .execute();
};

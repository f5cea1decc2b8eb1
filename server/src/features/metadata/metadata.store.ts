import type { Dictionary } from '@pergamin/contract';
import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { Definition } from './metadata-definitions.ts';

/** Grows with every change to definitions or dictionaries, in the transaction that makes it. */
const versionName = 'metadata-version';
const markerName = 'statement-marker-key';

export const findVersion = async (db: Db): Promise<string | undefined> => {
  const row = await db.selectFrom('installation').select('value').where('name', '=', versionName).executeTakeFirst();
  return row?.value;
};

export const bumpVersion = async (trx: Trx): Promise<void> => {
  await sql`insert into installation (name, value) values (${versionName}, '1')
    on conflict (name) do update set value = (installation.value::bigint + 1)::text`.execute(trx);
};

const isScreen = (screen: string): screen is Definition['screens'][number] => ['R', 'S', 'P', 'D', 'I', 'V'].includes(screen);

export const listDefinitions = async (db: Db): Promise<Definition[]> => {
  const rows = await db.selectFrom('metadata_definition').selectAll().orderBy('position').orderBy('id').execute();
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    name: { pl: row.name_pl, en: row.name_en },
    description: row.description,
    type: row.type,
    required: row.required,
    system: row.system,
    final: row.final,
    removed: row.removed,
    visible: row.visible,
    dictionary: row.dictionary,
    screens: row.screens.filter(isScreen),
  }));
};

export const listDictionaries = async (db: Db): Promise<Dictionary[]> => {
  const dictionaries = await db.selectFrom('dictionary').selectAll().orderBy('id').execute();
  const values = await db.selectFrom('dictionary_value').selectAll().orderBy('position').orderBy('key').execute();
  const byDictionary = Map.groupBy(values, (value) => value.dictionary_id);
  return dictionaries.map((row) => ({
    id: row.id,
    name: { pl: row.name_pl, en: row.name_en },
    type: 'KEY_NAME',
    values: (byDictionary.get(row.id) ?? []).map((value) => ({ key: value.key, name: { pl: value.name_pl, en: value.name_en } })),
  }));
};

/** As `upsertDictionary` takes it. */
export const findDictionary = async (db: Db, id: string): Promise<Pick<Dictionary, 'name' | 'values'> | undefined> => {
  const found = (await listDictionaries(db)).find((dictionary) => dictionary.id === id);
  return found === undefined ? undefined : { name: found.name, values: found.values };
};

/**
 * Gives the statement marker its definition under the configured key. An installation that changes the setting renames the definition: the
 * values are in a column of their own and stay. False when another definition has this key.
 */
export const upsertMarker = async (trx: Trx, key: string): Promise<boolean> => {
  await lockDefinitions(trx);
  const present = await trx.selectFrom('installation').select('value').where('name', '=', markerName).executeTakeFirst();
  if (present?.value === key) return true;
  const taken = await trx.selectFrom('metadata_definition').select('id').where('id', '=', key).executeTakeFirst();
  if (taken !== undefined) return false;
  if (present === undefined)
    await sql`insert into metadata_definition (id, name_pl, name_en, type, visible, position)
      select ${key}, 'Znacznik wyciągu', 'Statement marker', 'RAW', 'server', coalesce(max(position), 0) + 1 from metadata_definition`.execute(
      trx,
    );
  else await trx.updateTable('metadata_definition').set({ id: key }).where('id', '=', present.value).execute();
  await sql`insert into installation (name, value) values (${markerName}, ${key})
    on conflict (name) do update set value = excluded.value`.execute(trx);
  await bumpVersion(trx);
  return true;
};

/** Whether upsertMarker would find this key free, or ours already. */
export const isMarkerFree = async (db: Db, key: string): Promise<boolean> => {
  const { rows } = await sql`select from metadata_definition d where d.id = ${key}
    and not exists (select from installation where name = ${markerName} and value = d.id)`.execute(db);
  return rows.length === 0;
};

/** Until the end of the transaction no other one changes a definition. */
export const lockDefinitions = async (trx: Trx): Promise<void> => {
  await sql`lock table metadata_definition in share row exclusive mode`.execute(trx);
};

/** Whether any document has a value under this key; looks at every document when none has. */
export const isCarried = async (trx: Trx, id: string): Promise<boolean> =>
  (await sql`select from document where meta ? ${id} limit 1`.execute(trx)).rows.length > 0;

/** A new one comes last. */
export const putDefinition = async (trx: Trx, definition: Definition): Promise<void> => {
  const { id, name, description, type, required, removed, visible, dictionary } = definition;
  const values = { name_pl: name.pl, name_en: name.en, description, type, required, removed, visible, dictionary };
  const screens = [...definition.screens];
  await trx
    .insertInto('metadata_definition')
    .values({ id, ...values, screens, position: sql<number>`(select coalesce(max(position), 0) + 1 from metadata_definition)` })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, screens }))
    .execute();
};

interface DictionaryContents {
  readonly id: string;
  readonly name: { readonly pl: string; readonly en: string };
  readonly values: readonly { readonly key: string; readonly name: { readonly pl: string; readonly en: string } }[];
}

/** Creates or replaces; options that are not in the new list go, but for those that a document carries. */
export const replaceDictionary = async (trx: Trx, { id, name, values }: DictionaryContents): Promise<void> => {
  await trx
    .insertInto('dictionary')
    .values({ id, name_pl: name.pl, name_en: name.en })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name_pl: name.pl, name_en: name.en }))
    .execute();
  const keys = values.map((value) => value.key);
  const goes = trx
    .deleteFrom('dictionary_value')
    .where('dictionary_id', '=', id)
    .where('key', '<>', sql<string>`all(${keys}::text[])`);
  const definitions = await trx.selectFrom('metadata_definition').select('id').where('dictionary', '=', id).execute();
  await definitions
    .reduce((rest, definition) => rest.where((row) => sql<boolean>`not ${isInUse(definition.id, row.ref('dictionary_value.key'))}`), goes)
    .execute();
  await sql`update dictionary_value set position = position + ${values.length} where dictionary_id = ${id}`.execute(trx);
  await sql`insert into dictionary_value (dictionary_id, key, name_pl, name_en, position)
    select ${id}, given.key, given.pl, given.en, given.position - 1
    from unnest(${keys}::text[], ${values.map((value) => value.name.pl)}::text[], ${values.map((value) => value.name.en)}::text[])
      with ordinality as given (key, pl, en, position)
    on conflict (dictionary_id, key) do update
      set name_pl = excluded.name_pl, name_en = excluded.name_en, position = excluded.position`.execute(trx);
  await bumpVersion(trx);
};

const columnsOfOptions: ReadonlyMap<string, string> = new Map([
  ['PRIV_DOC_PRODUCT_GROUP', 'priv_product_group'],
  ['ST_DOC_TYPE', 'st_doc_type'],
  ['TYPE', 'type'],
  ['STATE', 'state'],
]);

const isInUse = (definitionId: string, key: unknown) => {
  const column = columnsOfOptions.get(definitionId);
  return column === undefined
    ? sql`exists (select from document d where normalize(d.meta ->> ${definitionId}::text, NFC) = ${key})`
    : sql`exists (select from document d where normalize(d.${sql.ref(column)}, NFC) = ${key})`;
};

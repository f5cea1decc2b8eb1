import type { Kysely, Selectable, Transaction } from 'kysely';
import type { DB } from './tables.generated.ts';

/**
 * The tables of the product as Kysely sees them, generated from a migrated database; the folder `schema` describes each column.
 * int8 columns come back as numbers (sizes and counts stay below 2^53), `date` columns as 'yyyy-mm-dd' or 'infinity' (indefinite, −1 on the
 * wire), timestamptz as Date.
 */
export type Database = DB;

/** Statements, in a transaction or not. */
export type Db = Kysely<Database>;
/** Statements that hold together. */
export type Trx = Transaction<Database>;

export type DocumentKind = Selectable<Database['document']>['kind'];
export type PageSize = Selectable<Database['document']>['page_sizes'][number];

import type { MetadataMap } from '@pergamin/contract';
import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

/** The columns that `toMap` reads, for select lists. */
export const metadataRowColumns = [
  'state',
  'type',
  'kind',
  'cif',
  'cif2',
  'file_name',
  'version',
  'size',
  'sha256',
  'published_at',
  'reg_date',
  'st_date',
  'st_period_start',
  'st_period_end',
  'retention_date',
  'account_number',
  'case_number',
  'priv_product_group',
  'st_number',
  'st_doc_type',
  'meta',
] as const;

/**
 * A document row as the database gives it: the typed columns and `meta` with every other value by definition id. In `meta` an indefinite
 * date is the text 'infinity', so that PostgreSQL sorts and compares it as one.
 */
export type MetadataRow = Pick<Selectable<Database['document']>, (typeof metadataRowColumns)[number]>;

/** The columns of a publisher's metadata: everything but recipients, object and state, which publishing sets. */
export type PublicationColumns = Pick<
  MetadataRow,
  | 'file_name'
  | 'reg_date'
  | 'st_date'
  | 'st_period_start'
  | 'st_period_end'
  | 'retention_date'
  | 'account_number'
  | 'case_number'
  | 'priv_product_group'
  | 'st_number'
  | 'st_doc_type'
> & { readonly marker: string | null; readonly added_by: string | null };

/** Definitions that a publisher may write and that have a column of their own; the statement marker joins them under its configured key. */
export const writableColumns: ReadonlyMap<string, keyof PublicationColumns> = new Map<string, keyof PublicationColumns>([
  ['FILE_NAME', 'file_name'],
  ['REG_DATE', 'reg_date'],
  ['ST_DATE', 'st_date'],
  ['ST_PERIOD_START', 'st_period_start'],
  ['ST_PERIOD_END', 'st_period_end'],
  ['RETENTION_DATE', 'retention_date'],
  ['ACCOUNT_NUMBER', 'account_number'],
  ['PRIV_CASE_NUMBER', 'case_number'],
  ['PRIV_DOC_PRODUCT_GROUP', 'priv_product_group'],
  ['ST_NUMBER', 'st_number'],
  ['ST_DOC_TYPE', 'st_doc_type'],
  ['ADDED_BY', 'added_by'],
]);

/** Names that operators use for numbered keys (D6). */
export const aliases: ReadonlyMap<string, string> = new Map([
  ['PUBLISHED', '12'],
  ['PUBLIC', '16'],
]);

type Owner = { readonly cif: string; readonly cif2: string | null };
type Value = MetadataMap[string] | null;

const day = (value: string | null): Value => (value === 'infinity' ? -1 : value);
const own = (value: string | null, caller: Owner): string | null =>
  value !== null && (value === caller.cif || value === caller.cif2) ? value : null;

/** How a value that is not in `meta` is read; null leaves the key out. An own value is the caller's number or nothing (P2). */
export const readers: ReadonlyMap<string, (row: MetadataRow, caller: Owner) => Value> = new Map<
  string,
  (row: MetadataRow, caller: Owner) => Value
>([
  ['FILE_NAME', (row) => row.file_name],
  ['2', (row) => row.version],
  ['CHECKSUM_SHA256', (row) => row.sha256],
  ['4', (row) => row.size],
  ['PUBLICATION_DATE', (row) => row.published_at?.getTime() ?? null],
  ['TYPE', (row) => row.type],
  ['STATE', (row) => row.state],
  ['REG_DATE', (row) => day(row.reg_date)],
  ['ST_DATE', (row) => day(row.st_date)],
  ['ST_PERIOD_START', (row) => day(row.st_period_start)],
  ['ST_PERIOD_END', (row) => day(row.st_period_end)],
  ['RETENTION_DATE', (row) => day(row.retention_date)],
  ['ACCOUNT_NUMBER', (row) => row.account_number],
  ['PRIV_CASE_NUMBER', (row) => row.case_number],
  ['PRIV_DOC_PRODUCT_GROUP', (row) => row.priv_product_group],
  ['ST_NUMBER', (row) => row.st_number],
  ['ST_DOC_TYPE', (row) => row.st_doc_type],
  // True only when the store refuses deletion; a publisher that uses such a store sets it.
  ['HCP', (row) => row.meta['HCP'] === true],
  ['CIF', (row, caller) => own(row.cif, caller)],
  ['CIF2', (row, caller) => own(row.cif2, caller)],
  ['14', (row, caller) => own(row.cif, caller) ?? own(row.cif2, caller)],
]);

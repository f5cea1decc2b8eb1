import type { Definition, MetadataDefinitions } from '#features/metadata/metadata.door.ts';

/**
 * Values that stand beside each delivery `entry`, so that a search of them needs no document (migrations 0007, 0012 and 0017). `key`: folded, with a
 * DEL sign behind letters of the Polish alphabet, and cut like `account`, `identifier` and `option` where `entry.is_cut`. `account`: folded,
 * without spaces. `identifier`, `option`, `plain`: as the document has it. `hex`: never cut, and the same folded.
 */
export interface ListedValue {
  readonly form: 'key' | 'account' | 'identifier' | 'option' | 'plain' | 'hex';
  readonly sql: string;
  /** The same as a whole number, which is all that the column can hold: ordered so, and quicker compared with one. */
  readonly whole?: string;
}

const listed: ReadonlyMap<string, ListedValue> = new Map<string, ListedValue>([
  ['ACCOUNT_NUMBER', { form: 'account', sql: 'entry.account_key' }],
  ['PRIV_CASE_NUMBER', { form: 'key', sql: 'entry.case_key' }],
  ['PRIV_DOC_PRODUCT_GROUP', { form: 'option', sql: 'entry.product_group' }],
  ['ST_NUMBER', { form: 'key', sql: 'entry.st_number_key' }],
  ['ST_DOC_TYPE', { form: 'option', sql: 'entry.st_doc_type' }],
  ['PUB_FILENAME', { form: 'key', sql: 'entry.pub_name_key' }],
  ['PUB_DESC_DURATION_TIME', { form: 'key', sql: 'entry.pub_duration_key' }],
  ['PUB_DOC_PRODUCT_GROUP', { form: 'option', sql: 'entry.pub_product_group' }],
  ['FILE_NAME', { form: 'key', sql: 'entry.file_key' }],
  ['DOC_EXT', { form: 'key', sql: 'entry.extension_key' }],
  ['BAR_NUMBER', { form: 'identifier', sql: 'entry.bar_number' }],
  ['CHECKSUM_SHA256', { form: 'hex', sql: 'entry.sha256' }],
  ['REG_DATE', { form: 'plain', sql: 'entry.reg_date' }],
  ['ST_DATE', { form: 'plain', sql: 'entry.st_date' }],
  ['ST_PERIOD_START', { form: 'plain', sql: 'entry.st_period_start' }],
  ['ST_PERIOD_END', { form: 'plain', sql: 'entry.st_period_end' }],
  ['PUBLICATION_DATE', { form: 'plain', sql: '(extract(epoch from entry.published_at) * 1000)::float8' }],
  ['11', { form: 'plain', sql: 'entry.expires_on' }],
  ['RETENTION_DATE', { form: 'plain', sql: 'entry.retention_date' }],
  // As numeric: a fraction, or a number larger than the column can hold, is compared and not refused.
  ['2', { form: 'plain', sql: 'entry.version::numeric', whole: 'entry.version' }],
  ['4', { form: 'plain', sql: 'entry.size::numeric', whole: 'entry.size' }],
  ['STATE', { form: 'plain', sql: 'entry.state' }],
  ['HCP', { form: 'plain', sql: 'entry.is_locked' }],
  // A delivery is to an owner, to a group or to everybody, and so the document is.
  ['TYPE', { form: 'plain', sql: `(case left(entry.principal, 1) when 'c' then 'PRIVATE' when 'g' then 'GROUP' else 'PUBLIC' end)` }],
  ['16', { form: 'plain', sql: `(entry.kind = 'public')` }],
  ['12', { form: 'plain', sql: 'true' }],
]);

/** Undefined: only the document knows it, or only its owner may. */
export const findListed = ({ id, visible }: Definition, { markerKey }: MetadataDefinitions): ListedValue | undefined =>
  id === markerKey || visible === 'own' ? undefined : listed.get(id);

export const withoutMarks = (key: string): string => `replace(${key}, chr(127), '')`;

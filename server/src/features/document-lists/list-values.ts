import { accountKeySql, type Definition, isAccountKey, type MetadataDefinitions, spellingsOf } from '#features/metadata/metadata.door.ts';
import { any, type Condition, type Value } from './conditions.ts';

/**
 * How a value is stored in a delivery. `text`: folded, with a DEL sign behind letters of the Polish alphabet, so that it sorts by signs.
 * `account`: without spaces; see `findAccount`. `option`, `plain`: as the document has it, and so `identifier`, which is text. `hex`: the same folded.
 */
type Form = 'text' | 'account' | 'identifier' | 'option' | 'plain' | 'hex';

export interface ListValue extends Value {
  readonly form: Form;
}

const delivered = (sql: string): Value => ({ of: 'delivery', sql: () => sql });

const listed: ReadonlyMap<string, readonly [Form, string]> = new Map([
  ['ACCOUNT_NUMBER', ['account', 'entry.account_key']],
  ['PRIV_CASE_NUMBER', ['text', 'entry.case_key']],
  ['PRIV_DOC_PRODUCT_GROUP', ['option', 'entry.product_group']],
  ['ST_NUMBER', ['text', 'entry.st_number_key']],
  ['ST_DOC_TYPE', ['option', 'entry.st_doc_type']],
  ['PUB_FILENAME', ['text', 'entry.pub_name_key']],
  ['PUB_DESC_DURATION_TIME', ['text', 'entry.pub_duration_key']],
  ['PUB_DOC_PRODUCT_GROUP', ['option', 'entry.pub_product_group']],
  ['FILE_NAME', ['text', 'entry.file_key']],
  ['DOC_EXT', ['text', 'entry.extension_key']],
  ['BAR_NUMBER', ['identifier', 'entry.bar_number']],
  ['CHECKSUM_SHA256', ['hex', 'entry.sha256']],
  ['REG_DATE', ['plain', 'entry.reg_date']],
  ['ST_DATE', ['plain', 'entry.st_date']],
  ['ST_PERIOD_START', ['plain', 'entry.st_period_start']],
  ['ST_PERIOD_END', ['plain', 'entry.st_period_end']],
  ['PUBLICATION_DATE', ['plain', '(extract(epoch from entry.published_at) * 1000)::float8']],
  ['11', ['plain', 'entry.expires_on']],
  ['RETENTION_DATE', ['plain', 'entry.retention_date']],
  // As numeric: a fraction, or a number larger than the column can hold, is compared and not refused.
  ['2', ['plain', 'entry.version::numeric']],
  ['4', ['plain', 'entry.size::numeric']],
  ['STATE', ['plain', 'entry.state']],
  ['HCP', ['plain', 'entry.is_locked']],
  // A delivery is to an owner, to a group or to everybody, and so the document is.
  ['TYPE', ['plain', `(case left(entry.principal, 1) when 'c' then 'PRIVATE' when 'g' then 'GROUP' else 'PUBLIC' end)`]],
  ['16', ['plain', `(entry.kind = 'public')`]],
  ['12', ['plain', 'true']],
]);

/** Undefined: only the document knows the value, or only its owner may. */
export const findListValue = ({ id, visible }: Definition, { markerKey }: MetadataDefinitions): ListValue | undefined => {
  const [form, sql] = (id === markerKey || visible === 'own' ? undefined : listed.get(id)) ?? [];
  return form === undefined || sql === undefined ? undefined : { form, ...delivered(sql) };
};

/** Of a document with one owner the principal names the owner. The caller's numbers are the first parameter of every statement. */
const firstOwner = `(case when entry.second_cif is null then case when starts_with(entry.principal, 'cif:') then substr(entry.principal, 5) end
  when entry.first_cif = any($1::text[]) then entry.first_cif end)`;
const secondOwner = `(case when entry.second_cif = any($1::text[]) then entry.second_cif end)`;

/** The number of the other owner is null, so that no criterion or order reveals it (P2). */
const ownNumbers: ReadonlyMap<string, string> = new Map([
  ['CIF', firstOwner],
  ['CIF2', secondOwner],
  ['14', `coalesce(${firstOwner}, ${secondOwner})`],
]);

/** Undefined for keys that are no customer number. */
export const findOwnNumber = ({ id, visible }: Definition, { markerKey }: MetadataDefinitions): Value | undefined => {
  const sql = id === markerKey || visible !== 'own' ? undefined : ownNumbers.get(id);
  return sql === undefined ? undefined : delivered(sql);
};

/** Those that a list compares or tells as they were written. */
const ofDocument: ReadonlyMap<string, string> = new Map([
  ['FILE_NAME', 'doc.file_name'],
  ['ACCOUNT_NUMBER', 'doc.account_number'],
  ['PRIV_CASE_NUMBER', 'doc.case_number'],
  ['PRIV_DOC_PRODUCT_GROUP', 'doc.priv_product_group'],
  ['ST_NUMBER', 'doc.st_number'],
  ['ST_DOC_TYPE', 'doc.st_doc_type'],
]);

const casts: Readonly<Record<Definition['type'], string>> = {
  RAW: 'text',
  TEXT: 'text',
  KEY_NAME: 'text',
  DECIMAL: 'numeric',
  // Milliseconds; 'infinity' is indefinite.
  DATE: 'float8',
  SIMPLE_DATE: 'date',
  BOOLEAN: 'boolean',
};

/** The value as the document has it. Moments are milliseconds. */
export const documentValue = ({ id, type, visible }: Definition, { markerKey }: MetadataDefinitions): Value => {
  if (id === markerKey) return { of: 'document', sql: () => 'doc.marker' };
  if (visible === 'own') return delivered(`null::${casts[type]}`);
  const column = ofDocument.get(id);
  return { of: 'document', sql: (parameters) => column ?? `(doc.meta ->> ${parameters.add(id)}::text)::${casts[type]}` };
};

const changed = (value: Value, change: (sql: string) => string): Value => ({
  of: value.of,
  sql: (parameters) => change(value.sql(parameters)),
});

/** Undefined for keys that are no account number; of others what all spellings of a number have in common. */
export const findAccount = (definition: Definition, definitions: MetadataDefinitions): Value | undefined =>
  isAccountKey(definition) && definition.visible !== 'own'
    ? changed(findListValue(definition, definitions) ?? documentValue(definition, definitions), accountKeySql)
    : undefined;

/** The same as `foldText`. */
export const folded = (value: Value): Value => changed(value, (sql) => `folded(${sql})`);
export const withoutMarks = (value: Value): Value => changed(value, (sql) => `replace(${sql}, chr(127), '')`);

/** Of folded text: deliveries that an earlier release wrote have ß, and `foldText` has ss. Nothing is done for texts without. */
export const spelledAs = (value: Value, text: string): Value =>
  text.includes('ss') ? changed(value, (sql) => `replace(${sql}, 'ß', 'ss')`) : value;

/** What the client sees of a document, as `foldText` gives it, a line for each value. */
export const searchText: Value = { of: 'delivery', sql: () => 'entry.search_text' };

/** Text that was stored before it was normalised at the door is compared by its normal form. */
export const composed = (value: Value): Value => changed(value, (sql) => `normalize(${sql}, NFC)`);

/** By the Polish alphabet, and numbers in it by their size; those that differ in leading zeros alone by their signs. */
export const alphabeticalSql = (sql: string, form?: Form): string =>
  // U+FFFF is to ICU what DEL is among bytes: behind all letters.
  `${form === 'text' ? `replace(${sql}, chr(127), chr(65535))` : sql} collate natural_order`;
export const alphabetical = (value: Value, form?: Form): Value => changed(value, (sql) => alphabeticalSql(sql, form));

/** What was typed is somewhere in the value, which is folded, in one of its spellings. */
export const containing = (value: Value, typed: string): Condition =>
  any(
    spellingsOf(typed).map(({ text, loose }): Condition => {
      const spelled = spelledAs(value, text);
      return loose === undefined
        ? { is: 'containing', value: spelled, to: text }
        : { is: 'matching', value: spelled, to: loose.pattern, part: loose.part };
    }),
  );

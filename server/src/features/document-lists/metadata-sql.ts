import type { Definition, MetadataDefinitions, MetadataReader } from '#features/metadata/metadata.door.ts';

/** Collects the parameters of one statement; `add` gives the placeholder. */
export interface Parameters {
  readonly values: readonly unknown[];
  add(value: unknown): string;
}

export const createParameters = (): Parameters => {
  const values: unknown[] = [];
  return {
    values,
    add(value) {
      values.push(value);
      return `$${values.length}`;
    },
  };
};

const columns: ReadonlyMap<string, string> = new Map([
  ['FILE_NAME', 'doc.file_name'],
  // As numeric: a fraction, or a number larger than the column can hold, is compared and not refused.
  ['2', 'doc.version::numeric'],
  ['CHECKSUM_SHA256', 'doc.sha256'],
  ['4', 'doc.size::numeric'],
  ['PUBLICATION_DATE', '(extract(epoch from doc.published_at) * 1000)::float8'],
  ['TYPE', 'doc.type'],
  ['STATE', 'doc.state'],
  ['REG_DATE', 'doc.reg_date'],
  ['ST_DATE', 'doc.st_date'],
  ['ST_PERIOD_START', 'doc.st_period_start'],
  ['ST_PERIOD_END', 'doc.st_period_end'],
  ['RETENTION_DATE', 'doc.retention_date'],
  ['ACCOUNT_NUMBER', 'doc.account_number'],
  ['PRIV_CASE_NUMBER', 'doc.case_number'],
  ['PRIV_DOC_PRODUCT_GROUP', 'doc.priv_product_group'],
  ['ST_NUMBER', 'doc.st_number'],
  ['ST_DOC_TYPE', 'doc.st_doc_type'],
  ['12', '(doc.published_at is not null)'],
  ['16', `(doc.type = 'PUBLIC')`],
  ['HCP', `coalesce((doc.meta ->> 'HCP')::boolean, false)`],
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

interface Context {
  readonly definitions: MetadataDefinitions;
  readonly reader: MetadataReader;
  readonly parameters: Parameters;
}

/**
 * A definition's value of the document `doc` in SQL. Someone else's number is null there, so that no criterion or order can tell what it is.
 * Moments are milliseconds.
 */
export const valueSql = (definition: Definition, { definitions, reader, parameters }: Context): string => {
  const { id, type } = definition;
  if (id === definitions.markerKey) return 'doc.marker';
  if (definition.visible === 'own') {
    const own = `any(${parameters.add([reader.cif, ...(reader.cif2 === null ? [] : [reader.cif2])])}::text[])`;
    if (id === 'CIF') return `(case when doc.cif = ${own} then doc.cif end)`;
    if (id === 'CIF2') return `(case when doc.cif2 = ${own} then doc.cif2 end)`;
    if (id === '14') return `(case when doc.cif = ${own} then doc.cif when doc.cif2 = ${own} then doc.cif2 end)`;
    return `null::${casts[type]}`;
  }
  return columns.get(id) ?? `(doc.meta ->> ${parameters.add(id)}::text)::${casts[type]}`;
};

import { publishingLimits, type MetadataMap, type MetadataValue } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import { accountKey, isAccountKey } from './account-numbers.ts';
import { foldText } from './fold-text.ts';
import { writableColumns, type PublicationColumns } from './metadata-columns.ts';
import type { Definition, MetadataDefinitions } from './metadata-definitions.ts';

/** A publisher's metadata, checked: typed columns, the rest by definition id, and what the free-text search looks through. */
export interface PublicationValues {
  readonly columns: PublicationColumns;
  readonly meta: Readonly<Record<string, string | number | boolean>>;
  readonly searchText: string;
}

type Stored = string | number | boolean;

const noColumns: PublicationColumns = {
  file_name: '',
  reg_date: null,
  st_date: null,
  st_period_start: null,
  st_period_end: null,
  retention_date: null,
  account_number: null,
  case_number: null,
  priv_product_group: null,
  st_number: null,
  st_doc_type: null,
  marker: null,
  added_by: null,
};

/** 'yyyy-mm-dd' of a day that exists; the years are those that every part of the product can hold. */
export const isCalendarDay = (text: string): boolean => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null || text < '0001') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const isDate = (value: MetadataValue): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) <= 8.64e15;

const readText = (definition: Definition, value: MetadataValue, definitions: MetadataDefinitions): string | undefined => {
  if (typeof value !== 'string') throw new Problem('must be text');
  const text = value.trim();
  const dictionary = definition.type === 'KEY_NAME' && text !== '' ? definitions.findDictionary(definition) : undefined;
  if (dictionary !== undefined && !dictionary.values.some(({ key }) => key === text))
    throw new Problem(`not an option of the dictionary ${dictionary.id}`);
  return text === '' ? undefined : text;
};

const readDay = (value: MetadataValue): string => {
  if (value === -1) return 'infinity';
  if (typeof value !== 'string' || !isCalendarDay(value)) throw new Problem('must be a day as yyyy-mm-dd, or -1');
  return value;
};

/** The stored form of a value, undefined for an empty one. Throws Problem. */
const readValue = (definition: Definition, value: MetadataValue, definitions: MetadataDefinitions): Stored | undefined => {
  switch (definition.type) {
    case 'DECIMAL':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new Problem('must be a number');
      return value;
    case 'BOOLEAN':
      if (typeof value !== 'boolean') throw new Problem('must be true or false');
      return value;
    case 'DATE':
      if (!isDate(value)) throw new Problem('must be a moment in milliseconds since 1970, or -1');
      return value === -1 ? 'infinity' : value;
    case 'SIMPLE_DATE':
      return readDay(value);
    default:
      return readText(definition, value, definitions);
  }
};

class Problem extends Error {}

/** All problems of a publication at once, so that a publisher can fix them in one go. */
const createFindings = () => {
  const problems = new Map<string, string>();
  return {
    /** Keeps the first problem of a key. */
    add(key: string, problem: string) {
      if (!problems.has(key)) problems.set(key, problem);
    },
    throwIfAny() {
      // Object.fromEntries makes own properties of any name, `__proto__` included.
      if (problems.size > 0) throw new PortalError('DOCUMENT_METADATA_ERROR', { fields: Object.fromEntries(problems) });
    },
  };
};

/** Shown text of a document; lines keep a search from matching across two values. Account numbers are there in one piece, too. */
const searchTextOf = (values: ReadonlyMap<Definition, Stored>): string => {
  const texts: string[] = [];
  for (const [definition, value] of values) {
    const { type, visible } = definition;
    if (visible !== 'yes' || (type !== 'RAW' && type !== 'TEXT')) continue;
    const text = foldText(String(value));
    texts.push(text);
    if (isAccountKey(definition)) texts.push(accountKey(text));
  }
  return [...new Set(texts)].join('\n');
};

const readAll = (given: MetadataMap, definitions: MetadataDefinitions, findings: ReturnType<typeof createFindings>) => {
  const values = new Map<Definition, Stored>();
  const written = new Map<Definition, MetadataValue>();
  for (const [key, value] of Object.entries(given)) {
    const definition = definitions.find(key);
    if (definition === undefined) findings.add(key, 'unknown key');
    else if (definition.system) findings.add(key, 'set by the portal');
    else if (definition.removed) findings.add(key, 'no longer in use');
    else if (written.has(definition) && written.get(definition) !== value)
      findings.add(key, 'said twice and differently, by name and by number');
    else {
      written.set(definition, value);
      try {
        const stored = readValue(definition, value, definitions);
        if (stored !== undefined) values.set(definition, stored);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        findings.add(key, error.message);
      }
    }
  }
  for (const definition of definitions.all)
    if (definition.required && !definition.system && !definition.removed && !values.has(definition))
      findings.add(definition.id, 'required');
  return values;
};

/**
 * Checks a publisher's metadata (P3). Number and name of one key are one value. Throws DOCUMENT_METADATA_ERROR with one
 * field per wrong key.
 */
export const readPublicationValues = (given: MetadataMap, definitions: MetadataDefinitions): PublicationValues => {
  const findings = createFindings();
  if (Object.keys(given).length > publishingLimits.maxMetadataKeys)
    findings.add('metadata', `more than ${publishingLimits.maxMetadataKeys} keys`);
  const values = readAll(given, definitions, findings);
  const columns: Record<keyof PublicationColumns, string | null> = { ...noColumns };
  const meta = new Map<string, Stored>();
  for (const [{ id }, value] of values) {
    const column = id === definitions.markerKey ? 'marker' : writableColumns.get(id);
    if (column === undefined) meta.set(id, value);
    else columns[column] = String(value);
  }
  const { st_period_start: start, st_period_end: end } = columns;
  if (start !== null && end !== null && isBefore(end, start)) findings.add('ST_PERIOD_END', 'before ST_PERIOD_START');
  findings.throwIfAny();
  return {
    columns: { ...columns, file_name: columns.file_name ?? '' },
    meta: Object.fromEntries(meta),
    searchText: searchTextOf(values),
  };
};

/** Days as text compare as days; 'infinity' is after all of them. */
const isBefore = (left: string, right: string): boolean => left !== right && left !== 'infinity' && (right === 'infinity' || left < right);

import { listLimits, type Criterion, type Operator } from '@pergamin/contract';
import {
  foldedSql,
  foldText,
  isCalendarDay,
  type Definition,
  type MetadataDefinitions,
  type MetadataReader,
} from '#features/metadata/metadata.door.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { findListed, withoutMarks, type ListedValue } from './listed-values.ts';
import { valueSql, type Parameters } from './metadata-sql.ts';
import { findOwnNumberSql } from './own-numbers.ts';
import { cifsOf, type Principal } from '#features/deliveries/deliveries.door.ts';
import type { Whereabouts } from './spans.ts';
import { readPattern } from './wildcards.ts';

export interface CriteriaContext {
  readonly definitions: MetadataDefinitions;
  readonly reader: MetadataReader;
  readonly parameters: Parameters;
  /** The organisation's day of a moment. */
  readonly dayOf: (epochMs: number) => string;
}

const ordered: readonly Operator[] = ['EQUALS', 'NOT_EQUALS', 'GQ', 'LQ'];
const textual: readonly Operator[] = ['EQUALS', 'NOT_EQUALS', 'LIKE'];
const operatorsOf: Readonly<Record<Definition['type'], readonly Operator[]>> = {
  RAW: textual,
  TEXT: textual,
  KEY_NAME: textual,
  DECIMAL: ordered,
  DATE: ordered,
  SIMPLE_DATE: ordered,
  BOOLEAN: ['EQUALS', 'NOT_EQUALS'],
};

/** D6: compared as they are. */
const exactKeys = new Set(['TYPE', 'STATE']);

const comparisons = { EQUALS: '=', NOT_EQUALS: 'is distinct from', GQ: '>=', LQ: '<=' } as const;

/** Pairs of keys whose values are one range. */
const ranges: readonly (readonly [start: string, end: string])[] = [['ST_PERIOD_START', 'ST_PERIOD_END']];

/** What must hold for the delivery `entry`. */
export interface Condition {
  /** Another for each principal, where that says more. */
  readonly sql: string | ((principal: Principal) => string);
  /** The condition is on its document `doc` as well, which costs a look at every one. */
  readonly needsDocument: boolean;
  /** Holds only where one of these, folded, stands somewhere in what is searched of the delivery; undefined when that cannot be said. */
  readonly words?: readonly string[] | undefined;
  /** The same for deliveries of which more is known, with fewer looks at their texts. */
  readonly sqlKnowing?: ((whereabouts: Whereabouts) => string) | undefined;
}

interface Read {
  readonly definition: Definition;
  readonly operator: Operator;
  readonly value: string | number | boolean;
}

/**
 * The conditions of a search, all of which hold. Throws VALIDATION_ERROR for a key that a client may not ask for, an
 * operator or a value that does not fit its type, and INVALID_DATE_RANGE for an end before its start.
 */
export const criteriaSql = (criteria: readonly Criterion[], context: CriteriaContext): Condition[] => {
  const read = criteria.map((criterion, index) => readCriterion(criterion, `criteria.metadata.${index}`, context));
  assertRanges(read);
  return read.map((one) => listedCondition(one, context) ?? { sql: conditionSql(one, context), needsDocument: true });
};

const readCriterion = ({ id, operator, value }: Criterion, field: string, { definitions, dayOf }: CriteriaContext): Read => {
  const definition = definitions.find(id);
  if (definition === undefined || definition.visible === 'no') throw invalidField(`${field}.id`, 'not a key that can be asked for');
  const allowed = exactKeys.has(definition.id) ? (['EQUALS', 'NOT_EQUALS'] as const) : operatorsOf[definition.type];
  if (!allowed.some((one) => one === operator)) throw invalidField(`${field}.operator`, `not for values of type ${definition.type}`);
  return { definition, operator, value: readValue(definition, value, { field: `${field}.value`, dayOf }) };
};

const readValue = (
  { type }: Definition,
  value: string | number | boolean,
  { field, dayOf }: { field: string; dayOf: (epochMs: number) => string },
): string | number | boolean => {
  switch (type) {
    case 'DECIMAL':
      if (typeof value !== 'number') throw invalidField(field, 'must be a number');
      return value;
    case 'BOOLEAN':
      if (typeof value !== 'boolean') throw invalidField(field, 'must be true or false');
      return value;
    case 'DATE':
      if (!isMoment(value)) throw invalidField(field, 'must be a moment in milliseconds since 1970, or -1');
      return value === -1 ? 'infinity' : value;
    case 'SIMPLE_DATE':
      if (value === -1) return 'infinity';
      if (isMoment(value)) return dayOf(value);
      if (typeof value !== 'string' || !isCalendarDay(value)) throw invalidField(field, 'must be a day as yyyy-mm-dd, a moment, or -1');
      return value;
    default:
      if (typeof value !== 'string') throw invalidField(field, 'must be text');
      if (readPattern(value).text.length > listLimits.textMaxLength)
        throw invalidField(field, `longer than ${listLimits.textMaxLength} characters`);
      return value;
  }
};

const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) <= 8.64e15;

const assertRanges = (read: readonly Read[]): void => {
  const dates = read.filter(({ definition: { type } }) => type === 'DATE' || type === 'SIMPLE_DATE');
  const starts = dates.filter(({ operator }) => operator === 'GQ');
  const ends = dates.filter(({ operator }) => operator === 'LQ');
  for (const start of starts)
    for (const end of ends) {
      const [from, to] = [start.definition.id, end.definition.id];
      const isRange = from === to || ranges.some((range) => range[0] === from && range[1] === to);
      if (isRange && isBefore(end.value, start.value))
        throw new PortalError('INVALID_DATE_RANGE', { fields: { [to]: 'before its start' } });
    }
};

const isBefore = (left: Read['value'], right: Read['value']): boolean => {
  if (left === right || left === 'infinity') return false;
  return right === 'infinity' || left < right;
};

/** Lists hold neither of these. */
const neverListed: readonly Read['value'][] = ['DELETED', 'FORGOTTEN'];

/** The condition by what stands beside the delivery; undefined when that does not say enough. */
const listedCondition = (read: Read, context: CriteriaContext): Condition | undefined => {
  const { definition, operator, value } = read;
  if (definition.id === 'STATE' && operator === 'NOT_EQUALS' && neverListed.includes(value)) return { sql: 'true', needsDocument: false };
  const ownNumber = findOwnNumberSql(definition, context.definitions);
  if (ownNumber !== undefined) return { sql: ownNumberCondition(read, ownNumber, context), needsDocument: false };
  const listed = findListed(definition, context.definitions);
  if (listed === undefined) return undefined;
  if (listed.form === 'hex' && isWholeChecksum(read)) return checksumCondition(read, context);
  const sql = listedSql(read, listed, context);
  if (sql === undefined) return undefined;
  if (listed.form === 'plain' || listed.form === 'hex') return { sql, needsDocument: false };
  const isText = listed.form !== 'option' && operator !== 'NOT_EQUALS';
  return {
    sql: unlessCut(sql, () => conditionSql(read, context)),
    needsDocument: false,
    words: isText ? [lookedFor(read, listed).text] : undefined,
  };
};

const isWholeChecksum = ({ operator, value }: Read): boolean =>
  operator === 'EQUALS' && typeof value === 'string' && /^[\da-f]{64}$/.test(value);

/** A whole checksum is looked for by its first bits among the deliveries of the caller (migration 0014). */
const checksumCondition = (read: Read, context: CriteriaContext): Condition => {
  const key = `content_key(${context.parameters.add(read.value)}::text)`;
  return { sql: `(entry.content_key = ${key} and ${onDocument(conditionSql(read, context))})`, needsDocument: false };
};

/**
 * Only the caller's own numbers can be the value, so that it is known before which of them fit. Of a document with one owner its principal
 * says it; only of those with two, few and in an index of their own, each is asked.
 */
const ownNumberCondition = (
  { definition, operator, value }: Read,
  sqlOf: (context: CriteriaContext) => string,
  context: CriteriaContext,
): ((principal: Principal) => string) => {
  const { parameters, reader } = context;
  const { text, anywhere } = operator === 'LIKE' ? readPattern(String(value)) : { text: String(value), anywhere: false };
  const folded = (one: string): string => (operator === 'LIKE' ? foldText(one) : one);
  const fitting = cifsOf(reader).filter((cif) => (anywhere ? folded(cif).includes(folded(text)) : folded(cif) === folded(text)));
  const isNot = operator === 'NOT_EQUALS';
  return ({ name, isJoint }) => {
    const isOwned = definition.id !== 'CIF2' && fitting.some((cif) => name === `cif:${cif}`);
    const isFound = isNot ? !isOwned : isOwned;
    if (!isJoint) return String(isFound);
    const isOneOf = `${sqlOf(context)} = any(${parameters.add(fitting)}::text[])`;
    const condition = isNot ? `(${isOneOf}) is not true` : isOneOf;
    return isFound ? `(entry.second_cif is null or ${condition})` : `(entry.second_cif is not null and ${condition})`;
  };
};

/** Folded, as it stands in what is kept beside a delivery. */
const lookedFor = ({ operator, value }: Read, { form }: ListedValue): ReturnType<typeof readPattern> => {
  const { text, anywhere } = operator === 'LIKE' ? readPattern(String(value)) : { text: String(value), anywhere: false };
  const folded = foldText(text).replaceAll('\u007f', '');
  return { text: form === 'account' ? folded.replaceAll(/\s/g, '') : folded, anywhere };
};

/** For the few whose values are longer than a list keeps. */
const unlessCut = (sql: string, ofDocument: () => string): string =>
  `case when entry.is_cut then ${onDocument(ofDocument())} else ${sql} end`;

/** @NOTE without its offset the planner may ask all documents of everybody first, to look their ids up in what it found. */
export const onDocument = (condition: string): string =>
  `exists (select from document doc where doc.id = entry.document_id and ${condition} offset 0)`;

const listedSql = (read: Read, { form, sql, whole }: ListedValue, context: CriteriaContext): string | undefined => {
  const { operator, value } = read;
  const { parameters } = context;
  if (form === 'plain') {
    if (operator === 'LIKE') return undefined;
    if (whole !== undefined && Number.isSafeInteger(value)) return `${whole} ${comparisons[operator]} ${parameters.add(value)}::bigint`;
    return `${sql} ${comparisons[operator]} ${parameters.add(value)}`;
  }
  if (typeof value !== 'string') return undefined;
  if (form === 'option') {
    const keys = operator === 'LIKE' ? optionsLike(read, value, context) : undefined;
    if (keys !== undefined) return `${sql} = any(${parameters.add(keys)}::text[])`;
    return operator === 'LIKE' ? undefined : `${sql} ${comparisons[operator]} ${parameters.add(value)}`;
  }
  if ((form === 'identifier' || form === 'hex') && operator !== 'LIKE') return `${sql} ${comparisons[operator]} ${parameters.add(value)}`;
  const { text, anywhere } = lookedFor(read, { form, sql });
  // Digits are themselves, folded or not, and so are identifiers made of them.
  const isPlain = form === 'account' || form === 'hex' || isDigits(text);
  const folded = form === 'key' ? withoutMarks(sql) : isPlain ? sql : `folded(${sql})`;
  const looked = parameters.add(text);
  // An account number of digits is nothing else folded, unless it is cut.
  if (form === 'account' && isDigits(text) && operator !== 'LIKE') return `${folded} ${comparisons[operator]} ${looked}`;
  if (operator === 'EQUALS') return `(${folded} = ${looked} and ${onDocument(conditionSql(read, context))})`;
  if (operator === 'NOT_EQUALS') return `(${folded} is distinct from ${looked} or ${onDocument(conditionSql(read, context))})`;
  return anywhere ? `strpos(${folded}, ${looked}) > 0` : `${folded} = ${looked}`;
};

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** The options that a LIKE means; undefined when there is no dictionary to say. A select sends one whole option, a text field part of a shown name. */
const optionsLike = ({ definition }: Read, value: string, { definitions }: CriteriaContext): string[] | undefined => {
  const options = definition.type === 'KEY_NAME' ? definitions.findDictionary(definition)?.values : undefined;
  if (options === undefined) return undefined;
  const { text, anywhere } = readPattern(value);
  const looked = foldText(text);
  const whole = options.filter(({ key }) => key === text);
  const isFound = (word: string): boolean => (anywhere ? foldText(word).includes(looked) : foldText(word) === looked);
  const found = whole.length > 0 ? whole : options.filter(({ key, name }) => [key, name.pl, name.en].some(isFound));
  return found.map(({ key }) => key);
};

const conditionSql = (read: Read, context: CriteriaContext): string => {
  const { definition, operator, value } = read;
  const { parameters } = context;
  const expression = valueSql(definition, context);
  if (typeof value === 'string' && operatorsOf[definition.type] === textual) return textSql(read, value, { ...context, expression });
  if (operator === 'LIKE') throw invalidField('criteria', 'LIKE is for text');
  return `${expression} ${comparisons[operator]} ${parameters.add(value)}`;
};

const textSql = (read: Read, value: string, { expression, ...context }: CriteriaContext & { expression: string }): string => {
  const { definition, operator } = read;
  const { parameters } = context;
  // Account numbers are written in groups or in one piece; both are the same number.
  const isSpaceless = definition.id === 'ACCOUNT_NUMBER';
  const shown = isSpaceless ? `regexp_replace(${expression}, '\\s', '', 'g')` : expression;
  const bare = (text: string): string => (isSpaceless ? text.replaceAll(/\s/g, '') : text);
  if (operator !== 'LIKE') return `${shown} ${operator === 'EQUALS' ? '=' : 'is distinct from'} ${parameters.add(bare(value))}`;
  const keys = optionsLike(read, value, context);
  if (keys !== undefined) return `${expression} = any(${parameters.add(keys)}::text[])`;
  const { text, anywhere } = readPattern(value);
  const looked = parameters.add(bare(foldText(text)));
  return anywhere ? `strpos(${foldedSql(shown)}, ${looked}) > 0` : `${foldedSql(shown)} = ${looked}`;
};

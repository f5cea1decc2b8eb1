import { listLimits, type Criterion, type Operator } from '@pergamin/contract';
import {
  accountKey,
  accountPart,
  foldText,
  isCalendarDay,
  type Definition,
  type MetadataDefinitions,
  type MetadataReader,
} from '#features/metadata/metadata.door.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { cifsOf } from '#features/deliveries/deliveries.door.ts';
import { all, not, type Condition, type Value } from './conditions.ts';
import {
  composed,
  containing,
  documentValue,
  findAccount,
  findListValue,
  findOwnNumber,
  folded,
  type ListValue,
  spelledAs,
  withoutMarks,
} from './list-values.ts';
import { type Pattern, readPattern } from './wildcards.ts';

export interface CriteriaContext {
  readonly definitions: MetadataDefinitions;
  readonly reader: MetadataReader;
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

/** Pairs of keys whose values are one range. */
const ranges: readonly (readonly [start: string, end: string])[] = [['ST_PERIOD_START', 'ST_PERIOD_END']];

interface Read {
  readonly definition: Definition;
  readonly operator: Operator;
  readonly value: string | number | boolean;
}

/**
 * The conditions of a search, all of which hold. Throws VALIDATION_ERROR for a key that clients may not use, an
 * operator or a value that does not fit its type, and INVALID_DATE_RANGE for an end before its start.
 */
export const readCriteria = (criteria: readonly Criterion[], context: CriteriaContext): Condition[] => {
  const read = criteria.map((criterion, index) => readCriterion(criterion, `criteria.metadata.${index}`, context));
  assertRanges(read);
  return read.map((one) => conditionOf(one, context));
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

const conditionOf = (read: Read, context: CriteriaContext): Condition => {
  const { definition, operator, value } = read;
  if (operator === 'NOT_EQUALS') return not(conditionOf({ ...read, operator: 'EQUALS' }, context));
  const ownNumber = findOwnNumber(definition, context.definitions);
  if (ownNumber !== undefined) return { is: 'one of', value: ownNumber, to: numbersLike(read, context.reader) };
  const listed = findListValue(definition, context.definitions);
  if (operator === 'LIKE') return likeCondition(read, listed, context);
  const ofDocument = documentValue(definition, context.definitions);
  const account = findAccount(definition, context.definitions);
  if (typeof value === 'string' && account !== undefined) return { is: '=', value: account, to: accountKey(value) };
  if (typeof value === 'string' && listed?.form === 'text') return sameText(value, listed, ofDocument);
  if (typeof value === 'string' && isWritten(definition)) return { is: '=', value: composed(listed ?? ofDocument), to: value };
  return { is: operator === 'GQ' ? '>=' : operator === 'LQ' ? '<=' : '=', value: listed ?? ofDocument, to: value };
};

/** Only the caller's own numbers can be the value, so that it is known before which of them fit. */
const numbersLike = ({ operator, value }: Read, reader: MetadataReader): string[] => {
  if (operator !== 'LIKE') return cifsOf(reader).filter((cif) => cif === value);
  const pattern = readPattern(String(value));
  return cifsOf(reader).filter((cif) => isLike(cif, pattern));
};

const isLike = (word: string, { text, anywhere }: Pattern): boolean =>
  anywhere ? foldText(word).includes(foldText(text)) : foldText(word) === foldText(text);

/** The value in the delivery is folded, so the rows that match it are compared with the document's own value too. */
const sameText = (text: string, listed: ListValue, ofDocument: Value): Condition => {
  const to = foldText(text).replaceAll('\u007f', '');
  return all([
    { is: '=', value: spelledAs(withoutMarks(listed), to), to },
    { is: '=', value: composed(ofDocument), to: text },
  ]);
};

const written: readonly Definition['type'][] = ['RAW', 'TEXT', 'KEY_NAME'];
/** Its values are text of publishers, and none of the product's own words. */
const isWritten = ({ id, type }: Definition): boolean => written.includes(type) && !exactKeys.has(id);

const likeCondition = (read: Read, listed: ListValue | undefined, { definitions }: CriteriaContext): Condition => {
  const { definition } = read;
  const { text, anywhere } = readPattern(String(read.value));
  const ofDocument = documentValue(definition, definitions);
  const keys = optionsLike(definition, { text, anywhere }, definitions);
  if (keys !== undefined) return { is: 'one of', value: composed(listed ?? ofDocument), to: keys };
  const account = findAccount(definition, definitions);
  if (account !== undefined)
    return anywhere ? { is: 'containing', value: account, to: accountPart(text) } : { is: '=', value: account, to: accountKey(text) };
  const to = foldText(text).replaceAll('\u007f', '');
  if (listed?.form === 'hex') return { is: anywhere ? 'containing' : '=', value: listed, to };
  const value = listed?.form === 'text' ? withoutMarks(listed) : folded(listed ?? ofDocument);
  return anywhere ? containing(value, to) : { is: '=', value: spelledAs(value, to), to };
};

/** The options that a LIKE means; undefined when there is no dictionary to say. A select sends one whole option, a text field part of a shown name. */
const optionsLike = (definition: Definition, pattern: Pattern, definitions: MetadataDefinitions): string[] | undefined => {
  const options = definition.type === 'KEY_NAME' ? definitions.findDictionary(definition)?.values : undefined;
  if (options === undefined) return undefined;
  const whole = options.filter(({ key }) => key === pattern.text);
  const found = whole.length > 0 ? whole : options.filter(({ key, name }) => [key, name.pl, name.en].some((word) => isLike(word, pattern)));
  return found.map(({ key }) => key);
};

import type { Criterion, DocumentQuery } from '@pergamin/contract';
import { foldText, type MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { DocumentKind } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import { all, any, type Condition } from './conditions.ts';
import { type CriteriaContext, readCriteria } from './criteria.ts';
import { earliest, latest } from './days.ts';
import { composed, containing, documentValue, findListValue, searchText } from './list-values.ts';
import { readPattern } from './wildcards.ts';

/** Selects among the caller's deliveries. */
export interface ListQuery {
  /** The lists that the search is in, as deliveries know them. */
  readonly kinds: readonly DocumentKind[];
  /** Days, both included; undefined: of all times. */
  readonly period: { readonly start: string; readonly end: string } | undefined;
  /** Undefined: whole lists. */
  readonly condition: Condition | undefined;
  /** Only what the reader has neither read nor downloaded. */
  readonly onlyUnread: boolean;
}

const allKinds: readonly DocumentKind[] = ['private', 'statement', 'public'];

/** D5: the lists' own criteria select the kind of delivery; the rest are conditions. */
const kindsOf = (criteria: readonly Criterion[], definitions: MetadataDefinitions) => {
  const type = definitions.find('TYPE');
  const marker = definitions.find(definitions.markerKey);
  const find = (definition: typeof type, operator: Criterion['operator'], value: string): Criterion | undefined =>
    criteria.find((one) => definitions.find(one.id) === definition && one.operator === operator && one.value === value);
  const listOf = (kind: DocumentKind, ...told: (Criterion | undefined)[]) =>
    told.includes(undefined) ? undefined : { kinds: [kind], rest: criteria.filter((one) => !told.includes(one)) };
  return (
    listOf('private', find(type, 'NOT_EQUALS', 'PUBLIC'), find(marker, 'NOT_EQUALS', 'STATEMENTS')) ??
    listOf('statement', find(type, 'EQUALS', 'PRIVATE'), find(marker, 'EQUALS', 'STATEMENTS')) ??
    listOf('public', find(type, 'EQUALS', 'PUBLIC')) ?? { kinds: allKinds, rest: criteria }
  );
};

const periodOf = (period: DocumentQuery['criteria']['period'], dayOf: CriteriaContext['dayOf']): ListQuery['period'] => {
  if (period === null || (period.start === null && period.end === null)) return undefined;
  const { start, end } = period;
  if (start !== null && end !== null && end < start)
    throw new PortalError('INVALID_DATE_RANGE', { fields: { period: 'ends before its start' } });
  return { start: start === null ? earliest : dayOf(start), end: end === null ? latest : dayOf(end) };
};

/**
 * D16: the free text is somewhere in what the client sees of the document, names of options included. Names are looked up now, not stored with
 * the document, so that a renamed option is found by its new name at once. Undefined when the text is blank.
 */
const readFreeText = (given: string | null, { definitions }: Pick<CriteriaContext, 'definitions'>): Condition | undefined => {
  const pattern = given === null ? undefined : readPattern(given);
  const text = foldText((pattern?.anywhere === true ? pattern.text : (given ?? '')).trim());
  if (text === '') return undefined;
  const found = [containing(searchText, text)];
  for (const definition of definitions.all) {
    const isShown = definition.visible === 'yes' && definition.screens.some((screen) => 'RSP'.includes(screen));
    const options = isShown ? (definitions.findDictionary(definition)?.values ?? []) : [];
    const keys = options.filter(({ name }) => [name.pl, name.en].some((word) => foldText(word).includes(text))).map(({ key }) => key);
    if (keys.length > 0)
      found.push({
        is: 'one of',
        value: composed(findListValue(definition, definitions) ?? documentValue(definition, definitions)),
        to: keys,
      });
  }
  return any(found);
};

/** Throws VALIDATION_ERROR, and INVALID_DATE_RANGE for a period or a range that ends before its start. */
export const readListQuery = ({ criteria, text }: Pick<DocumentQuery, 'criteria' | 'text'>, context: CriteriaContext): ListQuery => {
  const { kinds, rest } = kindsOf(criteria.metadata, context.definitions);
  const period = periodOf(criteria.period, context.dayOf);
  const conditions = readCriteria(rest, context);
  const freeText = readFreeText(text, context);
  if (freeText !== undefined) conditions.push(freeText);
  return { kinds, period, condition: conditions.length === 0 ? undefined : all(conditions), onlyUnread: criteria.unread === true };
};

import type { Criterion, DocumentQuery } from '@pergamin/contract';
import type { MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { DocumentKind } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import { earliest, latest } from './days.ts';
import { readPattern } from './wildcards.ts';

/** Days, both included; undefined when the search has no period. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

export interface QueryPlan {
  /** The lists that the search is in, as deliveries know them. */
  readonly kinds: readonly DocumentKind[];
  readonly period: Period | undefined;
  /** What `kinds` does not say. */
  readonly rest: readonly Criterion[];
  /** One list in the order of publication and nothing else: read straight from the index of the deliveries. */
  readonly direct: { readonly kind: DocumentKind; readonly order: 'asc' | 'desc' } | undefined;
}

const allKinds: readonly DocumentKind[] = ['private', 'statement', 'public'];

/** D5: the lists' own criteria are what a delivery's kind says. */
const kindsOf = (criteria: readonly Criterion[], definitions: MetadataDefinitions): Pick<QueryPlan, 'kinds' | 'rest'> => {
  const type = definitions.find('TYPE');
  const marker = definitions.find(definitions.markerKey);
  const find = (definition: typeof type, operator: Criterion['operator'], value: string): Criterion | undefined =>
    criteria.find((one) => definitions.find(one.id) === definition && one.operator === operator && one.value === value);
  const plan = (kind: DocumentKind, ...told: (Criterion | undefined)[]): Pick<QueryPlan, 'kinds' | 'rest'> | undefined =>
    told.includes(undefined) ? undefined : { kinds: [kind], rest: criteria.filter((one) => !told.includes(one)) };
  return (
    plan('private', find(type, 'NOT_EQUALS', 'PUBLIC'), find(marker, 'NOT_EQUALS', 'STATEMENTS')) ??
    plan('statement', find(type, 'EQUALS', 'PRIVATE'), find(marker, 'EQUALS', 'STATEMENTS')) ??
    plan('public', find(type, 'EQUALS', 'PUBLIC')) ?? { kinds: allKinds, rest: criteria }
  );
};

const periodOf = (period: DocumentQuery['criteria']['period'], dayOf: (epochMs: number) => string): Period | undefined => {
  if (period === null || (period.start === null && period.end === null)) return undefined;
  const { start, end } = period;
  if (start !== null && end !== null && end < start)
    throw new PortalError('INVALID_DATE_RANGE', { fields: { period: 'ends before its start' } });
  return { start: start === null ? earliest : dayOf(start), end: end === null ? latest : dayOf(end) };
};

const isBlank = (text: string | null): boolean => text === null || readPattern(text).text.trim() === '';

/** How a search is answered. Throws INVALID_DATE_RANGE for a period that ends before its start. */
export const planQuery = (
  { criteria, sort, text }: DocumentQuery,
  { definitions, dayOf }: { definitions: MetadataDefinitions; dayOf: (epochMs: number) => string },
): QueryPlan => {
  const { kinds, rest } = kindsOf(criteria.metadata, definitions);
  const period = periodOf(criteria.period, dayOf);
  const [first, ...others] = sort;
  const isByPublication = first === undefined || definitions.find(first.by)?.id === 'PUBLICATION_DATE';
  const [kind] = kinds;
  const isDirect = kinds.length === 1 && rest.length === 0 && isBlank(text) && isByPublication && others.length === 0;
  return { kinds, period, rest, direct: isDirect && kind !== undefined ? { kind, order: first?.order ?? 'desc' } : undefined };
};

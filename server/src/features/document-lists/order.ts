import type { DocumentQuery } from '@pergamin/contract';
import type { Definition } from '#features/metadata/metadata.door.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { CriteriaContext } from './criteria.ts';
import { valueSql } from './metadata-sql.ts';

type Sort = DocumentQuery['sort'];

const defaultSort: Sort = [{ by: 'PUBLICATION_DATE', order: 'desc' }];

const polish = new Intl.Collator('pl');

/** The order of the document `doc`: documents without the value come last, equals by id, so that paging is stable (P4). */
export const orderSql = (sort: Sort, context: CriteriaContext): string => {
  const keys = sort.length === 0 ? defaultSort : sort;
  const terms = keys.map(({ by, order }, index) => {
    const definition = context.definitions.find(by);
    if (definition === undefined || (definition.visible !== 'yes' && definition.visible !== 'own'))
      throw invalidField(`sort.${index}.by`, 'not a key that can be sorted by');
    return `${sortableSql(definition, context)} ${order} nulls last`;
  });
  return [...terms, `doc.id ${keys[0]?.order ?? 'desc'}`].join(', ');
};

/** Text in the order of the Polish alphabet, options in that of their Polish names, identifiers by their signs. */
const sortableSql = (definition: Definition, context: CriteriaContext): string => {
  const expression = valueSql(definition, context);
  if (definition.type === 'TEXT') return `${expression} collate "pl-x-icu"`;
  if (definition.type !== 'KEY_NAME') return expression;
  const options = context.definitions.findDictionary(definition)?.values.toSorted((a, b) => polish.compare(a.name.pl, b.name.pl));
  if (options === undefined) return expression;
  return `array_position(${context.parameters.add(options.map(({ key }) => key))}::text[], ${expression})`;
};

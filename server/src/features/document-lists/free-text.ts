import { foldText } from '#features/metadata/metadata.door.ts';
import { invalidField } from '#platform/http/errors.ts';
import { type Condition, type CriteriaContext, onDocument } from './criteria.ts';
import { findListed } from './listed-values.ts';
import { valueSql } from './metadata-sql.ts';
import { readPattern } from './wildcards.ts';

/**
 * D16: the free text is somewhere in what the client sees of the document, names of options included. Names are looked up now, not kept with
 * the document, so that a renamed option is found by its new name at once. Undefined when there is nothing to look for.
 */
export const freeTextSql = (given: string | null, context: CriteriaContext): Condition | undefined => {
  const { definitions, parameters } = context;
  if (given?.includes('\0') === true) throw invalidField('text', 'must be text');
  const pattern = given === null ? undefined : readPattern(given);
  const text = foldText((pattern?.anywhere === true ? pattern.text : (given ?? '')).trim());
  if (text === '') return undefined;
  // Account numbers stand there in one piece: what is looked for first is found more often.
  const wanted = [...(/^[\d\s]+$/.test(text) ? [text.replaceAll(/\s/g, '')] : []), text];
  const places = [...new Set(wanted)].map((words) => parameters.add(words));
  const listed: string[] = [];
  const ofDocument: string[] = [];
  let needsDocument = false;
  for (const definition of definitions.all) {
    const isShown = definition.visible === 'yes' && definition.screens.some((screen) => 'RSP'.includes(screen));
    const options = isShown ? definitions.findDictionary(definition)?.values : undefined;
    const keys = options?.filter(({ name }) => [name.pl, name.en].some((word) => foldText(word).includes(text))).map(({ key }) => key);
    if (keys === undefined || keys.length === 0) continue;
    const among = `= any(${parameters.add(keys)}::text[])`;
    const value = findListed(definition, definitions);
    const expression = valueSql(definition, context);
    ofDocument.push(`${expression} ${among}`);
    if (value?.form === 'option') listed.push(`${value.sql} ${among}`);
    else {
      listed.push(`${expression} ${among}`);
      needsDocument = true;
    }
  }
  const anyOf = (column: string, others: readonly string[]): string =>
    `(${[...places.map((place) => `strpos(${column}, ${place}) > 0`), ...others].join(' or ')})`;
  const words = listed.length === 0 ? [...new Set(wanted)] : undefined;
  // There is a text beside every delivery but those whose values are cut.
  return {
    sql: `case when entry.search_text is null then ${onDocument(anyOf('doc.search_text', ofDocument))} else ${anyOf('entry.search_text', listed)} end`,
    needsDocument,
    words,
  };
};

import { foldText } from '#features/metadata/metadata.door.ts';
import { type Condition, type CriteriaContext, onDocument } from './criteria.ts';
import { findListed } from './listed-values.ts';
import { valueSql } from './metadata-sql.ts';
import type { Whereabouts } from './spans.ts';
import { readPattern } from './wildcards.ts';

/**
 * D16: the free text is somewhere in what the client sees of the document, names of options included. Names are looked up now, not kept with
 * the document, so that a renamed option is found by its new name at once. Undefined when there is nothing to look for.
 */
export const freeTextSql = (given: string | null, context: CriteriaContext): Condition | undefined => {
  const { definitions, parameters } = context;
  const pattern = given === null ? undefined : readPattern(given);
  const text = foldText((pattern?.anywhere === true ? pattern.text : (given ?? '')).trim());
  if (text === '') return undefined;
  // Account numbers stand there in one piece: what is looked for first is found more often.
  const wanted = [...(/^[\d\s]+$/.test(text) ? [text.replaceAll(/\s/g, '')] : []), text];
  const words = [...new Set(wanted)];
  const places = new Map(words.map((word) => [word, parameters.add(word)]));
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
  const looks = (column: string, whereabouts?: Whereabouts): string[] =>
    [...places].flatMap(([word, place]) => {
      const look = `strpos(${column}, ${place}) > 0`;
      const span = whereabouts?.get(word);
      if (span === undefined) return [look];
      if (span === null) return [];
      const [first, last] = [parameters.add(span.first), parameters.add(span.last)];
      return [`(entry.published_at between ${first}::timestamptz and ${last}::timestamptz and ${look})`];
    });
  const anyOf = (of: readonly string[]): string => (of.length === 0 ? 'false' : `(${of.join(' or ')})`);
  const cut = onDocument(anyOf([...looks('doc.search_text'), ...ofDocument]));
  // There is a text beside every delivery but those whose values are cut.
  const sqlOf = (whereabouts?: Whereabouts): string =>
    `case when entry.search_text is null then ${cut} else ${anyOf([...looks('entry.search_text', whereabouts), ...listed])} end`;
  return {
    sql: sqlOf(),
    needsDocument,
    words: listed.length === 0 ? words : undefined,
    sqlKnowing: words.length > 1 ? sqlOf : undefined,
  };
};

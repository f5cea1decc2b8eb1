import { foldText } from '#features/metadata/metadata.door.ts';
import { any, type Condition, type Value } from './conditions.ts';
import type { CriteriaContext } from './criteria.ts';
import { documentValue, findListValue } from './list-values.ts';
import { readPattern } from './wildcards.ts';

const searchText: Value = { of: 'delivery', sql: () => 'entry.search_text' };

/**
 * D16: the free text is somewhere in what the client sees of the document, names of options included. Names are looked up now, not kept with
 * the document, so that a renamed option is found by its new name at once. Undefined when there is nothing to look for.
 */
export const readFreeText = (given: string | null, { definitions }: Pick<CriteriaContext, 'definitions'>): Condition | undefined => {
  const pattern = given === null ? undefined : readPattern(given);
  const text = foldText((pattern?.anywhere === true ? pattern.text : (given ?? '')).trim());
  if (text === '') return undefined;
  // Account numbers stand there with their spaces and without.
  const words = new Set(/^[\d\s]+$/.test(text) ? [text.replaceAll(/\s/g, ''), text] : [text]);
  const found: Condition[] = [...words].map((word) => ({ is: 'containing', value: searchText, to: word }));
  for (const definition of definitions.all) {
    const isShown = definition.visible === 'yes' && definition.screens.some((screen) => 'RSP'.includes(screen));
    const options = isShown ? (definitions.findDictionary(definition)?.values ?? []) : [];
    const keys = options.filter(({ name }) => [name.pl, name.en].some((word) => foldText(word).includes(text))).map(({ key }) => key);
    if (keys.length > 0)
      found.push({ is: 'one of', value: findListValue(definition, definitions) ?? documentValue(definition, definitions), to: keys });
  }
  return any(found);
};

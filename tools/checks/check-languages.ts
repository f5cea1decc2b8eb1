/**
 * Both languages say the same things: the same keys (each with its own plural forms), the same placeholders, no key that nothing shows and no
 * shown key that is missing. Alone: `node tools/checks/check-languages.ts`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { report } from './report.ts';
import { filesBelow, isCode, isTest, rootFromArguments } from './source-files.ts';

type Catalogue = Readonly<Record<string, string>>;

const pluralForms: Readonly<Record<string, readonly string[]>> = { pl: ['one', 'few', 'many', 'other'], en: ['one', 'other'] };
const pluralSuffix = /_(zero|one|two|few|many|other)$/;
/** Families whose keys are put together from what the server or the data say. */
const families = ['code.', 'error.', 'metadata.', 'state.', 'value.'];
const sourceFolders = ['web/src', 'server/src', 'identity/src', 'contract/src', 'cli/src'];

export function checkLanguages(catalogues: Readonly<Record<string, Catalogue>>, sources: readonly string[]): string[] {
  const bases = Object.fromEntries(Object.entries(catalogues).map(([language, catalogue]) => [language, groupByBase(catalogue)]));
  const all = new Set(Object.values(bases).flatMap((groups) => [...groups.keys()]));
  const problems: string[] = [];
  for (const base of all) {
    const isPlural = Object.values(bases).some((groups) => [...(groups.get(base)?.keys() ?? [])].some((form) => form !== ''));
    for (const [language, groups] of Object.entries(bases)) {
      const forms = groups.get(base);
      if (forms === undefined) problems.push(`${language}.json lacks ${base}`);
      else
        for (const form of isPlural ? (pluralForms[language] ?? []) : [''])
          if (!forms.has(form)) problems.push(`${language}.json lacks ${base}${form === '' ? '' : `_${form}`}`);
    }
    const placeholders = new Set(Object.values(bases).flatMap((groups) => (groups.has(base) ? [placeholdersOf(groups.get(base))] : [])));
    if (placeholders.size > 1) problems.push(`${base} has other placeholders in each language: ${[...placeholders].join(' / ')}`);
  }
  return [...problems, ...unusedKeys(all, sources), ...missingKeys(all, sources)];
}

function groupByBase(catalogue: Catalogue): Map<string, Map<string, string>> {
  const groups = new Map<string, Map<string, string>>();
  for (const [key, text] of Object.entries(catalogue)) {
    const form = pluralSuffix.exec(key)?.[1] ?? '';
    const base = form === '' ? key : key.slice(0, -form.length - 1);
    groups.set(base, (groups.get(base) ?? new Map<string, string>()).set(form, text));
  }
  return groups;
}

/** Of all forms together: 'one document' may well leave the number out. */
function placeholdersOf(forms: Map<string, string> | undefined): string {
  const names = [...(forms?.values() ?? [])].flatMap((text) => [...text.matchAll(/\{\{\s*-?\s*([\w.]+)/g)].map(([, name = '']) => name));
  return [...new Set(names)].toSorted((a, b) => a.localeCompare(b)).join(', ') || 'none';
}

function unusedKeys(keys: ReadonlySet<string>, sources: readonly string[]): string[] {
  const literals = new Set(sources.flatMap((source) => [...source.matchAll(/(['"`])([\w-]+(?:\.[\w-]+)+)\1/g)].map(([, , key]) => key)));
  // `signIn.${reason}` uses every key of a family, so each key with this prefix counts as used.
  const composed = sources.flatMap((source) => [...source.matchAll(/`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map(([, prefix = '']) => prefix));
  const isShown = (key: string): boolean => literals.has(key) || [...families, ...composed].some((family) => key.startsWith(family));
  return [...keys].filter((key) => !isShown(key)).map((key) => `${key} is shown nowhere`);
}

function missingKeys(keys: ReadonlySet<string>, sources: readonly string[]): string[] {
  const asked = new Set(sources.flatMap((source) => [...source.matchAll(/\bt\(\s*(['"`])([\w.-]+)\1/g)].map(([, , key = '']) => key)));
  return [...asked].filter((key) => !keys.has(key)).map((key) => `${key} is shown, and no language has it`);
}

function readCatalogue(root: string, language: string): Catalogue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- flat by the first check that reads it
  return JSON.parse(readFileSync(path.join(root, 'languages', `${language}.json`), 'utf8')) as Catalogue;
}

if (import.meta.main) {
  const root = rootFromArguments();
  const catalogues = Object.fromEntries(Object.keys(pluralForms).map((language) => [language, readCatalogue(root, language)]));
  const files = sourceFolders.flatMap((folder) => filesBelow(root, folder)).filter((file) => isCode(file) && !isTest(file));
  const problems = checkLanguages(
    catalogues,
    files.map((file) => readFileSync(path.join(root, file), 'utf8')),
  );
  report(problems, `${Object.keys(catalogues['en'] ?? {}).length} texts agree`);
}

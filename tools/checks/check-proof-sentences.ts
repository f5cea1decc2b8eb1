/**
 * Each sentence that tells customers of a document's fate has a row in docs/durable-medium.md with the entry or record that carries it, and none
 * says that something was delivered, which no entry proves. Alone: `node tools/checks/check-proof-sentences.ts`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { report } from './report.ts';
import { rootFromArguments } from './source-files.ts';

type Catalogue = Readonly<Record<string, string>>;

const document = 'docs/durable-medium.md';
const title = '## What each sentence rests on';
/** Where the evidence of documents is told. */
const places = /^(?:receipt|certificate|history|verify|mail\.(?:newDocument|unreadDocument|cancelledDocument))\./;
/** Whatever they say, they are about it. */
const families = /^(?:receipt\.(?:event|other|offer|answer)|certificate\.(?:title|lead|at|owner)|history\.source)\.|^history\.[A-Z]/;
/** In English, where words have few forms. */
const claim = /\b(?:publish\w*|publication\w*|notice|was opened|read to the end|sent to the organisation|cancelled|active)\b/i;
const overclaim = /deliver|doręcz/i;

export function checkProofSentences(
  text: string,
  catalogues: Readonly<Record<'en' | 'pl', Catalogue>>,
): { problems: string[]; looked: number } {
  const section = text.split(title)[1]?.split('\n## ')[0] ?? '';
  const named = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w.]+)`/g)].map(([, key = '']) => key),
  );
  const { en } = catalogues;
  const isClaim = ([key, sentence]: readonly [string, string]): boolean => families.test(key) || (places.test(key) && claim.test(sentence));
  const claims = Object.entries(en).filter(isClaim);
  const problems = [
    ...claims.filter(([key]) => !named.includes(key)).map(([key]) => `${document}: ${key} has no row that says what it rests on`),
    ...named.filter((key) => !Object.hasOwn(en, key)).map((key) => `${document}: there is no sentence ${key}`),
    ...named.filter((key, index) => named.indexOf(key) < index).map((key) => `${document}: ${key} has two rows`),
    ...Object.entries(catalogues).flatMap(([language, sentences]) =>
      Object.entries(sentences)
        .filter(([, sentence]) => overclaim.test(sentence))
        .map(([key]) => `${language}.json: ${key} says that something was delivered, which no entry proves`),
    ),
  ];
  // A check that sees nothing must not look like one that found nothing.
  if (named.length === 0) problems.push(`${document}: no sentence is named at all`);
  return { problems, looked: named.length };
}

const readCatalogue = (root: string, language: string): Catalogue =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- flat by the first check that reads it
  JSON.parse(readFileSync(path.join(root, 'languages', `${language}.json`), 'utf8')) as Catalogue;

if (import.meta.main) {
  const root = rootFromArguments();
  const { problems, looked } = checkProofSentences(readFileSync(path.join(root, document), 'utf8'), {
    en: readCatalogue(root, 'en'),
    pl: readCatalogue(root, 'pl'),
  });
  report(problems, `${looked} sentences about documents say what they rest on`);
}

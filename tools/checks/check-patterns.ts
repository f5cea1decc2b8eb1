/**
 * A caller's text cannot stop the portal by its length: every string that the contract takes has a greatest length, judged before all else, and
 * every regular expression of the product takes time that grows no faster than the text (`recheck` proves it, or finds the text that shows
 * otherwise). Alone: `node tools/checks/check-patterns.ts`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Call, calls } from '@pergamin/contract';
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import recheck from 'recheck';
import { report } from './report.ts';
import { filesBelow, isCode, isTest, rootFromArguments } from './source-files.ts';

const folders = ['contract/src', 'server/src', 'identity/src', 'cli/src'];

/** The one place where a schema gets a pattern: behind a length. */
const placeOfPatterns = 'contract/src/values.ts';

/** These look through the product's own design and nothing else. */
const readsOwnText = new Set(['identity/src/pages/assets.ts', 'server/src/features/branding/theme.rules.ts']);

/** Regular expressions that are put together when the product runs, and of what. */
const composed = new Map([
  ['server/src/platform/log/log.ts', 'another one of the file'],
  ['server/src/platform/pdf/pdf-document.ts', 'two signs'],
  ['server/src/platform/settings/identity-services.ts', 'a setting, for personal ids of at most 64 characters'],
]);

/** As far as this check looks into a schema of zod. */
interface Definition {
  readonly type: string;
  readonly check?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string; readonly abort?: boolean } } }[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly options?: readonly Schema[];
  readonly catchall?: Schema;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
}
interface Schema {
  readonly _zod: { readonly def: unknown };
}

const plain = new Set(['number', 'boolean', 'enum', 'literal', 'transform', 'unknown', 'never', 'null']);
const wrapping = new Set(['optional', 'nullable', 'default', 'array', 'pipe', 'record', 'object', 'union']);

/** What is wrong with the strings of a schema, each with its place. */
export function problemsOfSchema(schema: Schema, place: string): string[] {
  // Typed by zod's own classes for each kind; a field is read only when it is there.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const def = schema._zod.def as Definition;
  if (def.type === 'string') return problemsOfString(def).map((problem) => `${place}: ${problem}`);
  if (plain.has(def.type)) return [];
  if (!wrapping.has(def.type)) return [`${place}: this check does not know ${def.type}`];
  const inner: [string, Schema | undefined][] = [
    ...Object.entries(def.shape ?? {}),
    ...(def.options ?? []).map((option): [string, Schema] => ['', option]),
    ['*', def.catchall],
    ['*', def.element],
    ['', def.innerType],
    ['', def.in],
    ['', def.out],
    ['(key)', def.keyType],
    ['*', def.valueType],
  ];
  return inner.flatMap(([name, one]) => (one === undefined ? [] : problemsOfSchema(one, name === '' ? place : `${place}.${name}`)));
}

function problemsOfString({ check, checks = [] }: Definition): string[] {
  // A string by a format of zod is matched before its checks.
  const order = [...(check === undefined ? [] : [{ check }]), ...checks.map(({ _zod }) => _zod.def)];
  const at = order.findIndex((one) => one.check === 'max_length');
  const [first] = order;
  if (at < 0 || first === undefined) return ['a string without a greatest length'];
  if (at > 0) return [`${first.check} is judged before the length`];
  return 'abort' in first && first.abort ? [] : ['the pattern still runs on text that is too long: the length lacks `abort`'];
}

export function checkSchemas(rows: readonly Pick<Call, 'name' | 'params' | 'query' | 'body' | 'form'>[]): string[] {
  return rows.flatMap(({ name, params, query, body, form = {} }) =>
    Object.entries({ params, query, body, ...form }).flatMap(([part, schema]) =>
      schema === undefined || typeof schema === 'string' ? [] : problemsOfSchema(schema, `${name} ${part}`),
    ),
  );
}

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

/** The regular expressions of a file, and what of it cannot be judged. */
export function patternsIn(file: string, source: string): { patterns: Pattern[]; problems: string[] } {
  const patterns: Pattern[] = [];
  const problems: string[] = [];
  const placeOf = (offset: number): string => `${file}:${source.slice(0, offset).split('\n').length}`;
  const lookAtRegExp = (callee: Expression, start: number): void => {
    const isComposed = callee.type === 'Identifier' && callee.name === 'RegExp' && !composed.has(file);
    if (isComposed) problems.push(`${placeOf(start)}: a regular expression that cannot be read off the page`);
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) patterns.push({ source: node.regex.pattern, flags: node.regex.flags, place: placeOf(node.start) });
    },
    NewExpression: ({ callee, start }) => lookAtRegExp(callee, start),
    CallExpression({ callee, start }) {
      lookAtRegExp(callee, start);
      const isOfZod = callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'z';
      const isPattern = isOfZod && callee.property.type === 'Identifier' && callee.property.name === 'regex';
      if (isPattern && file !== placeOfPatterns)
        problems.push(`${placeOf(start)}: patternedText judges the length first, z.regex does not`);
    },
  }).visit(parseSync(file, source).program);
  return { patterns, problems };
}

/**
 * Repetitions with an end are counted out, which is faster and surer than trying texts. Work is bounded by steps and not by time, so that the
 * verdict does not depend on how busy the machine is.
 */
const bounds = { maxRepeatCount: 1_000, attackTimeout: null, incubationTimeout: null, timeout: null };

/** What is wrong with a regular expression; undefined: its time grows no faster than the text. */
export async function findSlowness({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Promise<string | undefined> {
  const judged = await recheck.check(source, flags, bounds);
  if (judged.status === 'safe') return undefined;
  if (judged.status === 'unknown') return `cannot be judged (${judged.error.kind}): write a simpler one`;
  return `${judged.complexity.summary}, for example with ${judged.attack.pattern}`;
}

const judge = (): string =>
  createHash('sha256')
    .update(readFileSync(createRequire(import.meta.url).resolve('recheck/package.json')))
    .update(JSON.stringify(bounds))
    .digest('hex');

/** The verdict on a text that has not changed is the same with the same judge; only what was found safe is kept. */
const keptVerdicts = (root: string) => {
  const file = path.join(root, 'node_modules/.cache/pergamin-checks/safe-patterns.json');
  const read = (): string[] => {
    try {
      const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return Array.isArray(kept) && kept[0] === judge() ? kept.map(String) : [];
    } catch {
      return [];
    }
  };
  const known = new Set(read());
  return {
    isSafe: (text: string) => known.has(text),
    keep(safe: readonly string[]) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify([judge(), ...safe]));
    },
  };
};

async function checkSources(root: string): Promise<{ problems: string[]; judged: number }> {
  const files = folders.flatMap((folder) => filesBelow(root, folder)).filter((file) => isCode(file) && !isTest(file));
  const read = files
    .filter((file) => !file.startsWith('server/src/testing/'))
    .map((file) => ({ file, ...patternsIn(file, readFileSync(path.join(root, file), 'utf8')) }));
  const problems = read.flatMap((one) => one.problems);
  const byText = new Map<string, Pattern>();
  for (const pattern of read.flatMap((one) => (readsOwnText.has(one.file) ? [] : one.patterns)))
    byText.set(`/${pattern.source}/${pattern.flags}`, pattern);
  const verdicts = keptVerdicts(root);
  const safe: string[] = [];
  for (const [text, pattern] of byText) {
    const slowness = verdicts.isSafe(text) ? undefined : await findSlowness(pattern);
    if (slowness === undefined) safe.push(text);
    else problems.push(`${pattern.place}: ${text}: ${slowness}`);
  }
  verdicts.keep(safe);
  return { problems, judged: byText.size };
}

// The same answers on every machine: the binaries of recheck do not exist for each.
process.env['RECHECK_BACKEND'] = 'pure';

if (import.meta.main) {
  const rows = Object.values<Call>(calls);
  const { problems, judged } = await checkSources(rootFromArguments());
  if (judged === 0) problems.push('there is no regular expression at all: the check is looking in the wrong place');
  report([...checkSchemas(rows), ...problems], `${rows.length} calls judge lengths first, ${judged} regular expressions take linear time`);
}

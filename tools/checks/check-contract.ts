/**
 * Every row of the contract is kept by a handler and tried by a test, in the one area that its path says, and docs/errors.md tells of every
 * error code with its status. Whether the routes at boot agree is the server's own test. Alone: `node tools/checks/check-contract.ts`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { areaPrefixes, calls, errorCodes } from '@pergamin/contract';
import { parseSync, Visitor } from 'oxc-parser';
import { report } from './report.ts';
import { filesBelow, isCode, isTest, rootFromArguments } from './source-files.ts';

interface Row {
  name: string;
  method: string;
  path: string;
  area: string;
}

interface Sources {
  /** Rows that a feature's code names. */
  inFeatures: ReadonlySet<string>;
  /** Rows that any code of the server names. */
  inServer: ReadonlySet<string>;
  /** Rows that a test calls. */
  inTests: ReadonlySet<string>;
}

/** Languages, logo and changelog keep the addresses that both specifications give them. */
const roots = ['/api/', '/resources/', '/static/'];

export function checkContract(rows: Readonly<Record<string, Row>>, prefixes: Readonly<Record<string, string>>, sources: Sources): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const [key, { name, method, path: route, area }] of Object.entries(rows)) {
    const say = (problem: string): number => problems.push(`${key}: ${problem}`);
    if (name !== key) say(`its row calls itself ${name}`);
    const address = `${method} ${route.replaceAll(/:\w+/g, ':')}`;
    const twin = seen.get(address);
    if (twin !== undefined) say(`${method} ${route} is already ${twin}`);
    seen.set(address, key);
    const fitting = Object.entries(prefixes).find(([, prefix]) => route.startsWith(prefix))?.[0];
    if (!roots.some((root) => route.startsWith(root))) say(`${route} begins with none of ${roots.join(' ')}`);
    else if (fitting !== undefined && fitting !== area) say(`${route} lies in the area ${fitting}, and the row says ${area}`);
    else if (fitting === undefined && area !== 'system')
      say(`${route} does not begin with ${prefixes[area] ?? `a prefix of the area ${area}`}`);
    // Health and the like belong to no feature.
    if (!(area === 'system' ? sources.inServer : sources.inFeatures).has(key)) say(`no handler: nothing in the server names calls.${key}`);
    if (!sources.inTests.has(key))
      say(`no test calls it: neither .call('${key}', …) nor calls.${key} in a test of the server or the command line`);
  }
  if (seen.size === 0) problems.push('the contract has no row at all: the check is looking in the wrong place');
  return problems;
}

/** The page holds a line `| CODE | status | when |` for each code, and for no other. */
export function checkErrorPage(page: string, codes: Readonly<Record<string, { readonly status: number }>>): string[] {
  const lines = [...page.matchAll(/^\| ([A-Z][A-Z0-9_]+) \| (\d{3})(?:, \d{3})* \| \S.* \|$/gm)];
  const told = new Map(lines.map(([, code = '', status = '']) => [code, Number(status)]));
  const missing = Object.entries(codes).filter(([code, { status }]) => told.get(code) !== status);
  const unknown = [...told.keys()].filter((code) => !Object.hasOwn(codes, code));
  return [
    ...missing.map(([code, { status }]) => `docs/errors.md does not say when ${code} is answered with ${status}`),
    ...unknown.map((code) => `docs/errors.md tells of ${code}, which is no code`),
  ];
}

/** Rows named as `calls.<row>` or `.call('<row>', …)`, comments not counting. */
export function rowsNamedIn(file: string, source: string): string[] {
  const names: string[] = [];
  new Visitor({
    MemberExpression({ object, property, computed }) {
      if (object.type === 'Identifier' && object.name === 'calls' && !computed && property.type === 'Identifier') names.push(property.name);
    },
    CallExpression({ callee, arguments: [first] }) {
      const isCall = callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'call';
      if (isCall && first?.type === 'Literal' && typeof first.value === 'string') names.push(first.value);
    },
  }).visit(parseSync(file, source).program);
  return names;
}

function readSources(root: string): Sources {
  const namedIn = (folders: string[], isWanted: (file: string) => boolean): ReadonlySet<string> =>
    new Set(
      folders
        .flatMap((folder) => filesBelow(root, folder))
        .filter((file) => isCode(file) && isWanted(file))
        .flatMap((file) => rowsNamedIn(file, readFileSync(path.join(root, file), 'utf8'))),
    );
  const isHandler = (file: string): boolean => !isTest(file) && !file.startsWith('server/src/testing/');
  return {
    inFeatures: namedIn(['server/src/features'], isHandler),
    inServer: namedIn(['server/src'], isHandler),
    // What tests call through `server/src/testing` they call too.
    inTests: namedIn(['server/src', 'cli'], (file) => isTest(file) || file.startsWith('server/src/testing/')),
  };
}

if (import.meta.main) {
  const root = rootFromArguments();
  const problems = [
    ...checkContract(calls, areaPrefixes, readSources(root)),
    ...checkErrorPage(readFileSync(path.join(root, 'docs/errors.md'), 'utf8'), errorCodes),
  ];
  report(problems, `${Object.keys(calls).length} calls are kept and tried`);
}

/** Compares every import in the repository with the arrows that architecture.json draws; alone: `node tools/checks/check-arrows.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf } from './imports-of.ts';
import { report } from './report.ts';
import { filesBelow, isCode, isTest, rootFromArguments, workspaces } from './source-files.ts';

interface Room {
  name: string;
  folder: string;
  imports: string[];
  /** Only files that are not code: anybody whose arrow leads here may read them, and no door is needed. */
  data?: boolean;
  /** May name files of another workspace by their path, because that workspace exports none of them as a package. */
  byPath?: boolean;
}

export interface Architecture {
  rooms: Room[];
  /** Rooms that every test may import besides what its own room may. */
  tests: { mayImport: string[] };
  /** Rooms divided into features that are entered by `<feature>.door.ts` only, with the arrows between their features. */
  doors: Record<string, Record<string, string[]>>;
  /** Rooms divided into features that never import one another. */
  islands: string[];
  /** Packages that only some rooms may touch. */
  wrapped: { packages: string[]; onlyIn: string[] }[];
}

interface Workspace {
  folder: string;
  name: string;
  /** What `exports` leads to, as a path from the root, by specifier. */
  entries: Map<string, string>;
}

/** Every import that no arrow allows, as `file:line: sentence`, and how many of our own imports were checked. */
export function checkArrows(root: string): { problems: string[]; looked: number } {
  const architecture = readArchitecture(root);
  const problems = [...cyclesIn(architecture)];
  const known = workspaces.map((folder) => readWorkspace(root, folder)).filter((workspace) => workspace !== undefined);
  let looked = 0;
  for (const workspace of known) {
    for (const file of filesBelow(root, workspace.folder).filter(isCode)) {
      try {
        for (const { specifier, line } of importsOf(file, readFileSync(path.join(root, file), 'utf8'))) {
          const target = targetOf({ specifier, file, workspace, known });
          if (target !== undefined) looked += 1;
          const problem =
            target === undefined
              ? wrappedProblem(architecture, { file, specifier })
              : arrowProblem(architecture, { file, target, specifier });
          if (problem !== undefined) problems.push(`${file}:${line}: ${problem}`);
        }
      } catch (error) {
        problems.push(`${file}: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  // A check that sees nothing must not look like one that found nothing.
  if (looked === 0) problems.push('no import of our own was seen at all: the check is looking in the wrong place');
  return { problems, looked };
}

/** The path from the root that a specifier leads to; undefined for what is not ours (packages, `node:`). */
function targetOf(from: { specifier: string; file: string; workspace: Workspace; known: Workspace[] }): string | undefined {
  const { specifier, file, workspace, known } = from;
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  if (specifier.startsWith('#')) return `${workspace.folder}/src/${specifier.slice(1)}`;
  if (specifier.startsWith('/')) return `${workspace.folder}${specifier}`;
  const owner = known.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  return owner === undefined ? undefined : (owner.entries.get(specifier) ?? `${owner.folder}/(not exported)`);
}

function arrowProblem(
  architecture: Architecture,
  { file, target, specifier }: { file: string; target: string; specifier: string },
): string | undefined {
  if (target.endsWith('/(not exported)')) return `'${specifier}' is not among the exports of its package`;
  const from = roomOf(architecture, file);
  const to = roomOf(architecture, target);
  if (from === undefined) return 'this file is in no room of architecture.json';
  if (to === undefined) return `'${specifier}' leads out of every room`;
  if (to.data !== true && from.byPath !== true && specifier.startsWith('.') && isCrossing(file, target))
    return `'${specifier}' climbs into another workspace: import it by its package's name`;
  if (from.name === to.name) return featureProblem(architecture, { room: from.name, file, target });
  const allowed = isTest(file) ? [...from.imports, ...architecture.tests.mayImport] : from.imports;
  if (!allowed.includes(to.name)) return `${from.name} must not import ${to.name} ('${specifier}')`;
  if (to.data === true && isCode(target)) return `${to.name} is data, and '${specifier}' is code`;
  const feature = featureOf(architecture, target);
  if (architecture.doors[to.name] !== undefined && feature !== undefined && !isDoor(target, feature) && from.name !== 'server/testing')
    return `'${specifier}' is behind the door of ${feature}: import ${feature}.door.ts`;
  return undefined;
}

function featureProblem(
  architecture: Architecture,
  { room, file, target }: { room: string; file: string; target: string },
): string | undefined {
  const from = featureOf(architecture, file);
  const to = featureOf(architecture, target);
  if (from === to || to === undefined) return undefined;
  if (architecture.islands.includes(room)) return `${room}/${from} must not import ${room}/${to}: app composes them`;
  const doors = architecture.doors[room];
  if (doors === undefined) return undefined;
  if (from === undefined || doors[from] === undefined) return `${from ?? file} is not declared in architecture.json (doors of ${room})`;
  if (!doors[from].includes(to)) return `no arrow ${from} → ${to} is declared in architecture.json (doors of ${room})`;
  return isDoor(target, to) ? undefined : `'${target}' is behind the door of ${to}: import ${to}.door.ts`;
}

function wrappedProblem(architecture: Architecture, { file, specifier }: { file: string; specifier: string }): string | undefined {
  const rule = architecture.wrapped.find(({ packages }) => packages.some((pattern) => matches(pattern, specifier)));
  const room = roomOf(architecture, file);
  if (rule === undefined || room === undefined || rule.onlyIn.includes(room.name)) return undefined;
  return `'${specifier}' is wrapped: only ${rule.onlyIn.join(', ')} may import it`;
}

function matches(pattern: string, specifier: string): boolean {
  if (pattern.endsWith('/*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}

function roomOf({ rooms }: Architecture, file: string): Room | undefined {
  return rooms
    .filter(({ folder }) => file === folder || file.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0];
}

/** The folder directly below a room that is divided into features. */
function featureOf(architecture: Architecture, file: string): string | undefined {
  const room = roomOf(architecture, file);
  if (room === undefined || (architecture.doors[room.name] === undefined && !architecture.islands.includes(room.name))) return undefined;
  const [feature, ...rest] = file.slice(room.folder.length + 1).split('/');
  return rest.length > 0 ? feature : undefined;
}

function isDoor(file: string, feature: string): boolean {
  return file.endsWith(`/${feature}/${feature}.door.ts`);
}

function isCrossing(file: string, target: string): boolean {
  return file.split('/')[0] !== target.split('/')[0];
}

function cyclesIn({ doors }: Architecture): string[] {
  return Object.entries(doors).flatMap(([room, arrows]) => {
    const done = new Set<string>();
    const visit = (feature: string, way: string[]): string[] => {
      if (way.includes(feature))
        return [`architecture.json: the doors of ${room} go round: ${[...way.slice(way.indexOf(feature)), feature].join(' → ')}`];
      if (done.has(feature)) return [];
      done.add(feature);
      return (arrows[feature] ?? []).flatMap((next) => visit(next, [...way, feature]));
    };
    const undeclared = Object.values(arrows)
      .flat()
      .filter((feature) => arrows[feature] === undefined);
    return [
      ...Object.keys(arrows).flatMap((feature) => visit(feature, [])),
      ...undeclared.map((feature) => `architecture.json: an arrow leads to ${feature}, which ${room} does not list`),
    ];
  });
}

function readArchitecture(root: string): Architecture {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file; a wrong shape fails in the first line that uses it
  return JSON.parse(readFileSync(path.join(root, 'architecture.json'), 'utf8')) as Architecture;
}

function readWorkspace(root: string, folder: string): Workspace | undefined {
  const file = path.join(root, folder, 'package.json');
  if (!existsSync(file)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file, written in exactly this form
  const { name, exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; exports?: Record<string, string> };
  const entries = Object.entries(exports).map(([key, target]): [string, string] => [
    path.posix.join(name, key),
    path.posix.join(folder, target),
  ]);
  return { folder, name, entries: new Map(entries) };
}

if (import.meta.main) {
  const { problems, looked } = checkArrows(rootFromArguments());
  report(problems, `${looked} imports follow the arrows`);
}

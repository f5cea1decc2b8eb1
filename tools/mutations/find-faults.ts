import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutation } from './row.ts';

/** Why rows do not fit the code any more, one sentence each. */
export const findFaults = (rows: readonly Mutation[], root: string): string[] => {
  const names = rows.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name}: there are two rows of this name`);
  return [...twice, ...rows.flatMap((row) => faultsOf(row, root))];
};

const faultsOf = ({ name, file, find, replace, tests }: Mutation, root: string): string[] => {
  const path = join(root, file);
  const missing = [file, ...tests].filter((wanted) => !existsSync(join(root, wanted))).map((wanted) => `${name}: there is no ${wanted}`);
  if (!existsSync(path)) return missing;
  const times = readFileSync(path, 'utf8').split(find).length - 1;
  return [
    ...missing,
    ...(times === 1 ? [] : [`${name}: its text is ${times} times in ${file}, not once: ${find}`]),
    ...(find === replace ? [`${name}: changes nothing`] : []),
    ...(tests.length === 0 ? [`${name}: names no test`] : []),
  ];
};

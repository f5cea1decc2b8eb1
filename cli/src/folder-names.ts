import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { comparedName } from './file-names.ts';

/** What folders have in them, each asked once. */
export interface FolderNames {
  /** Paths below the folder that are the same as this one when they are compared. */
  find(root: string, path: string): Promise<readonly string[]>;
  /** PDFs beside where the path would be, with the folders before them. */
  namesNear(root: string, path: string): Promise<readonly string[]>;
}

export const createFolderNames = (): FolderNames => {
  const known = new Map<string, Promise<readonly string[]>>();
  const namesIn = (folder: string): Promise<readonly string[]> => {
    const names = known.get(folder) ?? readdir(folder).catch(() => []);
    known.set(folder, names);
    return names;
  };
  const find = async (root: string, path: string): Promise<readonly string[]> => {
    const sought = comparedName(path).replace(/^(?:\.?\/)+/, '');
    const found: string[] = [];
    for (const name of await namesIn(root)) {
      const compared = comparedName(name);
      if (compared === sought) found.push(name);
      else if (sought.startsWith(`${compared}/`))
        found.push(...(await find(join(root, name), sought.slice(compared.length + 1))).map((rest) => `${name}/${rest}`));
    }
    return found;
  };
  return {
    find,
    async namesNear(root, path) {
      const folders = comparedName(path).split('/').slice(0, -1).join('/');
      const [folder = ''] = folders === '' ? [] : await find(root, folders);
      const names = await namesIn(join(root, folder));
      return names.filter((name) => /\.pdf$/i.test(name)).map((name) => (folder === '' ? name : `${folder}/${name}`));
    },
  };
};

import { open } from 'node:fs/promises';
import type { ActivationCodes } from './client-import.ts';
import { RefusedError } from './errors.ts';

export interface CodeFile {
  readonly path: string;
  /** Resolves when the disk has them. Throws RefusedError when they cannot be kept. */
  add(codes: ActivationCodes): Promise<void>;
  added(): number;
}

/**
 * The file for activation codes, which the portal tells only once: a CSV of the columns personalId and code, made with the first one. Existing
 * lines stay, so that an import which is repeated after a failure loses nothing; of two lines about one person the later counts.
 */
export const createCodeFile = (path: string): CodeFile => {
  let count = 0;
  return {
    path,
    added: () => count,
    async add(codes) {
      try {
        await using file = await open(path, 'a', 0o600);
        const isNew = (await file.stat()).size === 0;
        // Neither an id nor a code can hold a sign that would have to be quoted.
        const lines = codes.map(({ personalId, code }) => `${personalId},${code}\n`);
        await file.appendFile(`${isNew ? 'personalId,code\n' : ''}${lines.join('')}`);
        await file.sync();
      } catch (cause) {
        const hint = 'name another file with --codes, and import these people again with --reinvite';
        throw new RefusedError(`${codes.length} activation codes could not be written to ${path}: ${hint}`, { cause });
      }
      count += codes.length;
    },
  };
};

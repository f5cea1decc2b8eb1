import { open, readFile, rename } from 'node:fs/promises';
import type { ActivationCodes } from './client-import.ts';
import { RefusedError } from './errors.ts';

export interface CodeFile {
  readonly path: string;
  /** Resolves when the disk has them. Throws RefusedError when they cannot be kept. */
  add(codes: ActivationCodes): Promise<void>;
  added(): number;
}

const header = 'personalId,code\n';

/** Neither an id nor a code can hold a sign that would have to be quoted. */
const lineOf = ({ personalId, code }: ActivationCodes[number]): string => `${personalId},${code}\n`;

const readPresent = async (path: string): Promise<string> => {
  try {
    const present = await readFile(path, 'utf8');
    return present === '' || present.endsWith('\n') ? present || header : `${present}\n`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return header;
    throw error;
  }
};

/** In place of what was there, in one step: a code that is lost cannot be asked for again. */
const replaceFile = async (path: string, content: string): Promise<void> => {
  const next = `${path}.part`;
  {
    await using file = await open(next, 'w', 0o600);
    await file.writeFile(content);
    await file.sync();
  }
  await rename(next, path);
};

/**
 * The file for activation codes, which the portal tells only once: a CSV of the columns personalId and code, made with the first one. Existing
 * already stays, so that an import which is repeated after a failure loses nothing, but for the older codes of these people, which are void.
 */
export const createCodeFile = (path: string): CodeFile => {
  let count = 0;
  return {
    path,
    added: () => count,
    async add(codes: ActivationCodes) {
      try {
        const renewed = new Set(codes.map(({ personalId }) => personalId));
        const present = (await readPresent(path)).split(/(?<=\n)/);
        const stays = present.filter((line) => !renewed.has(line.slice(0, line.indexOf(','))));
        await replaceFile(path, `${stays.join('')}${codes.map(lineOf).join('')}`);
      } catch (cause) {
        const hint = 'name another file with --codes, and import these people again with --reinvite';
        throw new RefusedError(`${codes.length} activation codes could not be written to ${path}: ${hint}`, { cause });
      }
      count += codes.length;
    },
  };
};

import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HashedLine } from './manifest-run.ts';

/** Lines that fit, with the checksums of their files, until all lines are judged. */
export interface JudgedLines extends AsyncDisposable {
  add(lines: readonly HashedLine[]): Promise<void>;
  /** As they were added, when all were. */
  read(): AsyncGenerator<readonly HashedLine[]>;
}

/** The reader of lines takes these two for line ends, which JSON may hold within its texts. */
const escapeCharacter = (sign: string): string => (sign === '\u2028' ? '\\u2028' : '\\u2029');

/** Keeps them in a temporary file: a manifest of a million is not held in memory, and no PDF is hashed a second time. */
export const openJudgedLines = async (): Promise<JudgedLines> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-manifest-'));
  const file = await open(join(folder, 'lines.jsonl'), 'wx+', 0o600);
  return {
    add: (lines) => file.appendFile(`${JSON.stringify(lines).replaceAll(/[\u2028\u2029]/g, escapeCharacter)}\n`),
    async *read() {
      // This program wrote them.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      for await (const line of file.readLines({ start: 0, autoClose: false })) yield JSON.parse(line) as readonly HashedLine[];
    },
    async [Symbol.asyncDispose]() {
      await file.close();
      await rm(folder, { recursive: true });
    },
  };
};

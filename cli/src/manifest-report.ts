import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { RefusedError } from './errors.ts';
import type { LineOutcome } from './manifest-run.ts';

/** A cell of a CSV table. */
export const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const rowOf = (outcome: LineOutcome): string => {
  const { line, kind } = outcome;
  const code = kind === 'refused' ? outcome.code : '';
  const message = 'message' in outcome ? outcome.message : kind === 'present' ? outcome.state : '';
  const id = 'id' in outcome ? outcome.id : '';
  const flags = 'flags' in outcome ? outcome.flags.join(' ') : '';
  return `${[String(line), kind, code, message, id, flags].map(quoted).join(',')}\n`;
};

export interface ManifestReport {
  add(outcome: LineOutcome): void;
  /** Resolves when the file is whole. Throws RefusedError when it could not be written. */
  end(): Promise<void>;
}

/** A CSV table with what became of each line; in place of that of an earlier run, since a run tells every line, also one that breaks off. */
export const createManifestReport = (path: string): ManifestReport => {
  const file: WriteStream = createWriteStream(path, { mode: 0o600 });
  let failure: unknown;
  file.on('error', (error) => (failure = error));
  file.write('line,outcome,code,message,id,flags\n');
  return {
    add: (outcome) => void file.write(rowOf(outcome)),
    async end() {
      file.end();
      await finished(file).catch((error: unknown) => (failure ??= error));
      if (failure !== undefined) throw new RefusedError(`the report could not be written to ${path}`, { cause: failure });
    },
  };
};

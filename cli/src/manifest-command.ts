import { createReadStream } from 'node:fs';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';
import type { ManifestFiles } from './manifest-files.ts';
import type { ManifestLine } from './manifest-lines.ts';
import { createManifestReport } from './manifest-report.ts';
import { type LineOutcome, publishManifest } from './manifest-run.ts';
import { createProgress, progressOf } from './progress.ts';

export interface ManifestJob {
  readonly lines: AsyncIterable<ManifestLine>;
  readonly total: number;
  readonly files: ManifestFiles;
  readonly connection: Connection;
  readonly isDry: boolean;
  readonly atOnce: number;
  /** Where a table of all lines is written; left out, none is. */
  readonly reportPath: string | undefined;
  readonly signal?: AbortSignal;
}

export type ManifestCounts = Record<LineOutcome['kind'], number>;

/** For telling how far a run is: lines of a file, blank ones and the first one of a CSV file among them. */
export const countLines = async (path: string): Promise<number> => {
  let lines = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
};

export const summaryOf = ({ published, present, valid, refused }: ManifestCounts, isDry: boolean): string =>
  isDry
    ? `${valid} documents could be published, ${present} were published before, refused ${refused}`
    : `published ${published}, published before ${present}, refused ${refused}`;

/** Publishes a manifest with words for a person: refused lines and flags on standard error as they come. Throws RefusedError as the run does. */
export const runManifest = async ({ total, reportPath, ...run }: ManifestJob): Promise<ManifestCounts> => {
  const counts: ManifestCounts = { published: 0, present: 0, valid: 0, refused: 0 };
  const progress = createProgress(process.stderr, { plainLines: true });
  const report = reportPath === undefined ? undefined : createManifestReport(reportPath);
  const begunMs = performance.now();
  let done = 0;
  const say = (text: string): void => {
    progress.clear();
    process.stderr.write(`${text}\n`);
  };
  const onOutcome = (outcome: LineOutcome): void => {
    counts[outcome.kind] += 1;
    done += 1;
    report?.add(outcome);
    if (outcome.kind === 'refused') say(`line ${outcome.line}: ${outcome.code}: ${outcome.message}`);
    if (outcome.kind === 'published' && outcome.flags.length > 0) say(`line ${outcome.line}: flagged ${outcome.flags.join(', ')}`);
    progress.show(progressOf({ done, total: Math.max(total, done), sinceMs: performance.now() - begunMs }));
  };
  try {
    await publishManifest({ ...run, onOutcome });
  } catch (error) {
    if (run.signal?.aborted !== true && !(error instanceof RefusedError)) throw error;
    const why = error instanceof RefusedError ? error.message : 'interrupted';
    throw new RefusedError(`${why}\n  ${summaryOf(counts, run.isDry)}; repeat the command to go on`, { cause: error });
  } finally {
    progress.clear();
    await report?.end();
  }
  return counts;
};

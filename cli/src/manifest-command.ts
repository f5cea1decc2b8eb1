import { createReadStream } from 'node:fs';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';
import type { ManifestFiles } from './manifest-files.ts';
import type { ManifestLine } from './manifest-lines.ts';
import { createManifestReport } from './manifest-report.ts';
import { type LineOutcome, publishManifest, type Sending, type SendingParts } from './manifest-run.ts';
import { createProgress, progressOf } from './progress.ts';
import { createToldLines } from './told-lines.ts';
import { createSingleSending } from './single-sending.ts';
import { isWorkbook } from '#tables/table-rows.ts';

export interface ManifestJob {
  readonly lines: AsyncIterable<ManifestLine>;
  readonly total: number;
  readonly files: ManifestFiles;
  readonly connection: Connection;
  readonly isDry: boolean;
  readonly atOnce: number;
  /** Where a table of all lines is written; left out, none is. */
  readonly reportPath: string | undefined;
  /** Left out, each document is published by itself. */
  readonly openSending?: (parts: SendingParts) => Promise<Sending>;
  /** Whether the manifest is another one than when the run began. */
  readonly isChanged?: () => Promise<boolean>;
  readonly signal?: AbortSignal;
}

export type ManifestCounts = Record<LineOutcome['kind'], number>;

/** For telling how far a run is: lines of a text, blank ones and the first one of a CSV file among them. Of a workbook it is not known, and 0. */
export const countLines = async (path: string): Promise<number> => {
  if (isWorkbook(path)) return 0;
  const ends = [10, 13].map((byte) => ({ byte, count: 0 }));
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    for (const end of ends) for (let at = chunk.indexOf(end.byte); at !== -1; at = chunk.indexOf(end.byte, at + 1)) end.count += 1;
  return Math.max(...ends.map(({ count }) => count));
};

export const summaryOf = (
  { published, added, present, valid, refused }: ManifestCounts,
  { isDry, openSending }: Pick<ManifestJob, 'isDry' | 'openSending'>,
): string => {
  if (isDry) return `${valid} documents could be published, ${present} were published before, refused ${refused}`;
  const sent = openSending === undefined ? `published ${published}` : `in the batch ${added}`;
  return `${sent}, published before ${present}, refused ${refused}`;
};

/** Publishes a manifest with words for a person: refused lines and flags on standard error as they come. Throws RefusedError as the run does. */
export const runManifest = async (job: ManifestJob): Promise<ManifestCounts> => {
  const { lines, total, files, connection, isDry, atOnce, reportPath, openSending = createSingleSending, signal } = job;
  const counts: ManifestCounts = { published: 0, added: 0, present: 0, valid: 0, refused: 0, unsettled: 0 };
  const manifest = createToldLines(lines);
  const progress = createProgress(process.stderr, { plainLines: true });
  const report = reportPath === undefined ? undefined : createManifestReport(reportPath);
  let begunMs = performance.now();
  let done = 0;
  let sealed = 0;
  /** Lines that were told before the first one was sent. */
  let doneBefore: number | undefined;
  const say = (text: string): void => {
    progress.clear();
    process.stderr.write(`${text}\n`);
  };
  const onOutcome = (outcome: LineOutcome): void => {
    counts[outcome.kind] += 1;
    done += 1;
    report?.add(outcome);
    manifest.tell(outcome.line);
    if (outcome.kind === 'valid' && outcome.needsSeal) sealed += 1;
    if (outcome.kind === 'refused') say(`line ${outcome.line}: ${outcome.code}: ${outcome.message}`);
    if ('flags' in outcome && outcome.flags.length > 0) say(`line ${outcome.line}: flagged ${outcome.flags.join(', ')}`);
    if (doneBefore === undefined) return;
    const of = { done: done - doneBefore, total: Math.max(total, done) - doneBefore };
    progress.show(progressOf({ ...of, sinceMs: performance.now() - begunMs }));
  };
  const onJudged = (line: number): void =>
    progress.show(`checked ${progressOf({ done: line, total: Math.max(total, line), sinceMs: performance.now() - begunMs })}`);
  const onSending = (): void => {
    doneBefore = done;
    begunMs = performance.now();
  };
  try {
    const parts = { files, connection, atOnce, onOutcome, ...(signal === undefined ? {} : { signal }) };
    await publishManifest({ ...parts, lines: manifest.lines, onJudged, onSending, sending: isDry ? undefined : await openSending(parts) });
    if (sealed > 0) say(`${sealed} of them need a valid seal, which is verified when the file is sent`);
  } catch (error) {
    const why = signal?.aborted === true && !(error instanceof RefusedError) ? 'interrupted' : error instanceof Error ? error.message : '';
    if (report !== undefined)
      for await (const line of manifest.listUntold()) report.add({ line, kind: 'unsettled', message: `the run broke off: ${why}` });
    if (signal?.aborted !== true && !(error instanceof RefusedError)) throw error;
    throw new RefusedError(`${why}\n  ${summaryOf(counts, job)}; repeat the command to go on`, { cause: error });
  } finally {
    progress.clear();
    await report?.end();
  }
  return counts;
};

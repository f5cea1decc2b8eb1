import { setTimeout as pause } from 'node:timers/promises';
import { type AnswerOf, calls, type ErrorCode, type PdfFlag, type PublishedDocument, publishingLimits } from '@pergamin/contract';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';
import { FileRefused, type ManifestFiles } from './manifest-files.ts';
import type { ManifestLine, ManifestRecord } from './manifest-lines.ts';

/** What became of a line. */
export type LineOutcome = { readonly line: number } & (
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  /** Its description and its file fit; nothing was sent. */
  | { readonly kind: 'valid' }
  | { readonly kind: 'present'; readonly id: string }
  | { readonly kind: 'published'; readonly id: string; readonly flags: readonly PdfFlag[] }
);

interface Run {
  readonly lines: AsyncIterable<ManifestLine>;
  readonly files: ManifestFiles;
  readonly connection: Connection;
  /** Everything is judged, and nothing is published. */
  readonly isDry: boolean;
  /** Files that are sent concurrently. */
  readonly atOnce: number;
  readonly onOutcome: (outcome: LineOutcome) => void;
  readonly signal?: AbortSignal;
}

interface Hashed {
  readonly line: number;
  readonly record: ManifestRecord & { readonly sha256: string };
}

/** The portal reads a check of up to a megabyte. */
const maxBytesPerCheck = 900 * 1024;
const maxAttempts = 8;
const longestPauseMs = 30_000;

/** The portal is restarting, busy, or behind a line that broke: the same call may succeed in a while. */
const isPassing = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && (error.status === undefined || error.status === 429 || error.status === 502 || error.status === 503);

const patiently = async <T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || attempt === maxAttempts) throw error;
      const waitMs = error.retryAfterSeconds === undefined ? 250 * 2 ** attempt : error.retryAfterSeconds * 1_000;
      await pause(Math.min(waitMs, longestPauseMs), undefined, { signal });
    }
};

const sentenceOf = ({ message, fields = {} }: { message: string; fields?: Readonly<Record<string, string>> | undefined }): string =>
  [message, ...Object.entries(fields).map(([field, problem]) => `${field}: ${problem}`)].join('; ');

/** The portal refuses this document; every other refusal is about the whole run. */
const isAboutDocument = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.status !== undefined && [400, 409, 413, 415, 422].includes(error.status);

const refusalOf = (line: number, error: unknown): LineOutcome => {
  if (error instanceof FileRefused) return { line, kind: 'refused', code: error.code, message: error.message };
  if (!isAboutDocument(error) || error.answer === undefined) throw error;
  return { line, kind: 'refused', code: error.answer.code, message: sentenceOf(error.answer) };
};

/** Runs `work` over the items, so many at a time. After the first failure none begins, and those that run are waited for. */
const eachOf = async <T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> => {
  const rest = items.values();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (failure !== undefined) return;
      await work(item).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failure !== undefined) throw failure.error;
};

/** Lines that are checked together: as many as one call takes. Those that cannot be read, or say a unique name again, are refused here. */
const checksOf = async function* ({ lines, onOutcome }: Run): AsyncGenerator<{ line: number; record: ManifestRecord }[]> {
  const seen = new Map<string, number>();
  let check: { line: number; record: ManifestRecord }[] = [];
  let bytes = 0;
  for await (const found of lines) {
    const { line } = found;
    if ('problem' in found) {
      onOutcome({ line, kind: 'refused', code: 'VALIDATION_ERROR', message: found.problem });
      continue;
    }
    const { uniqueName } = found.record;
    const before = seen.get(uniqueName);
    if (before !== undefined) {
      onOutcome({ line, kind: 'refused', code: 'RESOURCE_DUPLICATE', message: `uniqueName: line ${before} has the same` });
      continue;
    }
    seen.set(uniqueName, line);
    const size = Buffer.byteLength(JSON.stringify(found.record));
    if (check.length >= publishingLimits.maxDocumentsPerCheck || bytes + size > maxBytesPerCheck) {
      yield check;
      check = [];
      bytes = 0;
    }
    check.push({ line, record: found.record });
    bytes += size;
  }
  if (check.length > 0) yield check;
};

const descriptionOf = ({ file: _, ...description }: Hashed['record']) => description;

const hashAll = async (
  { files, atOnce, onOutcome }: Run,
  check: readonly { line: number; record: ManifestRecord }[],
): Promise<Hashed[]> => {
  const hashed: Hashed[] = [];
  await eachOf(check, atOnce, async ({ line, record }) => {
    try {
      const sha256 = await files.hash(record.file);
      if (record.sha256 !== undefined && record.sha256 !== sha256) throw new FileRefused('INVALID_SHA256', 'sha256: not that of the file');
      hashed.push({ line, record: { ...record, sha256 } });
    } catch (error) {
      onOutcome(refusalOf(line, error));
    }
  });
  return hashed.toSorted((a, b) => a.line - b.line);
};

type CheckAnswer = AnswerOf<typeof calls.checkPublications>;

/** Tells what is refused and what is there already; answers the others. */
const sift = (hashed: readonly Hashed[], { refused, published }: CheckAnswer, onOutcome: Run['onOutcome']): Hashed[] => {
  const told = new Map<number, (line: number) => LineOutcome>();
  for (const { index, code, ...why } of refused) told.set(index, (line) => ({ line, kind: 'refused', code, message: sentenceOf(why) }));
  for (const { index, id } of published) told.set(index, (line) => ({ line, kind: 'present', id }));
  return hashed.filter(({ line }, index) => {
    const outcome = told.get(index)?.(line);
    if (outcome !== undefined) onOutcome(outcome);
    return outcome === undefined;
  });
};

/**
 * Publishes the documents of a manifest. Each line is told once, in no order. Before a file is sent the portal is asked which lines it would
 * refuse and which were published before, so that a run that was interrupted is simply repeated. A refused line does not hold up the others. Holds
 * one check of lines in memory, beside the unique names. Throws RefusedError when the portal cannot go on.
 */
export const publishManifest = async (run: Run): Promise<void> => {
  const { files, connection, isDry, atOnce, onOutcome, signal } = run;
  const send = async ({ line, record }: Hashed): Promise<void> => {
    try {
      const document: PublishedDocument = await files.send(record.file, (file) => {
        const form = new FormData();
        form.set('description', JSON.stringify(descriptionOf(record)));
        form.set('file', file, record.fileName);
        return patiently(() => connection.call(calls.publishDocument, { form }), signal);
      });
      const { id, flags, repeated } = document;
      onOutcome(repeated ? { line, kind: 'present', id } : { line, kind: 'published', id, flags });
    } catch (error) {
      onOutcome(refusalOf(line, error));
    }
  };
  for await (const check of checksOf(run)) {
    signal?.throwIfAborted();
    const hashed = await hashAll(run, check);
    if (hashed.length === 0) continue;
    const items = hashed.map(({ record }) => descriptionOf(record));
    const answer = await patiently(() => connection.call(calls.checkPublications, { body: { items } }), signal);
    const missing = sift(hashed, answer, onOutcome);
    if (isDry) for (const { line } of missing) onOutcome({ line, kind: 'valid' });
    else
      await eachOf(missing, atOnce, async (one) => {
        signal?.throwIfAborted();
        await send(one);
      });
  }
};

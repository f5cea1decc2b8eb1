import {
  type AnswerOf,
  calls,
  type DocumentState,
  type ErrorBody,
  type ErrorCode,
  type PdfFlag,
  publishingLimits,
} from '@pergamin/contract';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';
import { openJudgedLines } from './judged-lines.ts';
import { FileRefused, type ManifestFiles } from './manifest-files.ts';
import type { ManifestLine, ManifestRecord } from './manifest-lines.ts';
import { patiently } from './patience.ts';

/** What became of a line. */
export type LineOutcome = { readonly line: number } & (
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  /** Its description and its file fit; nothing was sent. */
  | { readonly kind: 'valid'; readonly needsSeal: boolean }
  | { readonly kind: 'present'; readonly id: string; readonly state: DocumentState }
  | { readonly kind: 'published'; readonly id: string; readonly flags: readonly PdfFlag[] }
  /** It is in the batch, by this run or by an earlier one, and visible when the batch is published. */
  | { readonly kind: 'added'; readonly id: string; readonly flags: readonly PdfFlag[] }
  /** The run broke off before anything was known of it. */
  | { readonly kind: 'unsettled'; readonly message: string }
);

/** A line whose file was read. */
export interface HashedLine {
  readonly line: number;
  readonly record: ManifestRecord & { readonly sha256: string };
  /** Bytes of the file. */
  readonly size: number;
}

export interface SendingParts {
  readonly files: ManifestFiles;
  readonly connection: Connection;
  /** Calls that are made concurrently. */
  readonly atOnce: number;
  readonly onOutcome: (outcome: LineOutcome) => void;
  readonly signal?: AbortSignal;
}

/** How documents come to the portal: one by one, or in a batch. */
export interface Sending {
  /** What became of a line in an earlier run. */
  find(line: HashedLine): LineOutcome | undefined;
  /** Tells each of the lines once. Throws RefusedError when the portal cannot go on. */
  send(lines: readonly HashedLine[]): Promise<void>;
}

interface Run extends SendingParts {
  readonly lines: AsyncIterable<ManifestLine>;
  /** Left out, everything is judged and nothing is sent. */
  readonly sending: Sending | undefined;
  /** Told how far the lines are judged, by the number of the last one. */
  readonly onJudged?: (line: number) => void;
  /** Told when all are judged. */
  readonly onSending?: () => void;
}

/** The portal reads a check of up to a megabyte. */
const maxBytesPerCheck = 900 * 1024;

const sentenceOf = ({ message, fields = {} }: { message: string; fields?: Readonly<Record<string, string>> | undefined }): string =>
  [message, ...Object.entries(fields).map(([field, problem]) => `${field}: ${problem}`)].join('; ');

/** The portal refuses this document; every other refusal is about the whole run. */
const isAboutDocument = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.status !== undefined && [400, 409, 413, 415, 422].includes(error.status);

export const refusedLine = (line: number, { code, message, fields }: Pick<ErrorBody, 'code' | 'message' | 'fields'>): LineOutcome => ({
  line,
  kind: 'refused',
  code,
  message: sentenceOf({ message, fields }),
});

/** What was taken back is not there for its customer, and does not come back. */
export const presentLine = (line: number, { id, state }: { readonly id: string; readonly state: DocumentState }): LineOutcome =>
  isTakenBack(state)
    ? refusedLine(line, { code: 'INVALID_STATUS', message: `published before as ${id}, which is ${state} and does not come back` })
    : { line, kind: 'present', id, state };

export const isTakenBack = (state: DocumentState): boolean => state === 'CANCELLED' || state === 'DELETED' || state === 'FORGOTTEN';

export const refusalOf = (line: number, error: unknown): LineOutcome => {
  if (error instanceof FileRefused) return refusedLine(line, { code: error.code, message: error.message });
  if (!isAboutDocument(error) || error.answer === undefined) throw error;
  return refusedLine(line, error.answer);
};

/** Runs `work` over the items, so many at a time. After the first failure none begins, and those that run are waited for. */
export const eachOf = async <T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> => {
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

export const descriptionOf = ({ file: _, ...description }: HashedLine['record']) => description;

const hashAll = async (
  { files, atOnce, onOutcome }: Run,
  check: readonly { line: number; record: ManifestRecord }[],
): Promise<HashedLine[]> => {
  const hashed: HashedLine[] = [];
  await eachOf(check, atOnce, async ({ line, record }) => {
    try {
      const { sha256, size } = await files.hash(record.file);
      if (record.sha256 !== undefined && record.sha256 !== sha256) throw new FileRefused('INVALID_SHA256', 'sha256: not that of the file');
      hashed.push({ line, record: { ...record, sha256 }, size });
    } catch (error) {
      onOutcome(refusalOf(line, error));
    }
  });
  return hashed.toSorted((a, b) => a.line - b.line);
};

type CheckAnswer = AnswerOf<typeof calls.checkPublications>;

/** Tells what is refused and what is there already; answers the others. */
const sift = (hashed: readonly HashedLine[], { refused, published }: CheckAnswer, onOutcome: Run['onOutcome']): HashedLine[] => {
  const told = new Map<number, (line: number) => LineOutcome>();
  for (const { index, ...why } of refused) told.set(index, (line) => refusedLine(line, why));
  for (const { index, ...document } of published) told.set(index, (line) => presentLine(line, document));
  return hashed.filter(({ line }, index) => {
    const outcome = told.get(index)?.(line);
    if (outcome !== undefined) onOutcome(outcome);
    return outcome === undefined;
  });
};

interface Judged {
  readonly missing: readonly HashedLine[];
  /** Line numbers of those that need a valid seal. */
  readonly sealed: ReadonlySet<number | undefined>;
}

/** Lines that fit, a check at a time; every other line is told. */
const judge = async function* (run: Run): AsyncGenerator<Judged> {
  const { connection, sending, onOutcome, onJudged, signal } = run;
  for await (const check of checksOf(run)) {
    signal?.throwIfAborted();
    const hashed = (await hashAll(run, check)).filter((line) => {
      const outcome = sending?.find(line);
      if (outcome !== undefined) onOutcome(outcome);
      return outcome === undefined;
    });
    if (hashed.length > 0) {
      const items = hashed.map(({ record }) => descriptionOf(record));
      const answer = await patiently(() => connection.call(calls.checkPublications, { body: { items } }), signal);
      const missing = sift(hashed, answer, onOutcome);
      yield { missing, sealed: new Set(answer.sealed?.map((index) => hashed[index]?.line)) };
    }
    onJudged?.(check.at(-1)?.line ?? 0);
  }
};

/**
 * Publishes the documents of a manifest. Each line is told once, in no order. Before the first file is sent, all lines are judged: the files are read,
 * and the portal is asked which lines it would refuse and which were published before, so that a run that was interrupted is simply repeated. A refused
 * line does not hold up the others. Holds one check of lines in memory, beside the unique names. Throws RefusedError when the portal cannot go on.
 */
export const publishManifest = async (run: Run): Promise<void> => {
  const { sending, onOutcome, onSending, signal } = run;
  if (sending === undefined) {
    for await (const { missing, sealed } of judge(run))
      for (const { line } of missing) onOutcome({ line, kind: 'valid', needsSeal: sealed.has(line) });
    return;
  }
  await using judged = await openJudgedLines();
  for await (const { missing } of judge(run)) await judged.add(missing);
  onSending?.();
  for await (const lines of judged.read()) {
    signal?.throwIfAborted();
    await sending.send(lines);
  }
};

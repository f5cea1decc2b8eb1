import { type AnswerOf, type Batch, type BatchReportLine, calls, publishingLimits } from '@pergamin/contract';
import { readReport } from './batch-report.ts';
import { RefusedError } from './errors.ts';
import {
  descriptionOf,
  eachOf,
  type HashedLine,
  isTakenBack,
  type LineOutcome,
  presentLine,
  refusalOf,
  refusedLine,
  type Sending,
  type SendingParts,
} from './manifest-run.ts';
import { patiently } from './patience.ts';

type Parts = Pick<SendingParts, 'connection' | 'signal'>;
type Kept = ReadonlyMap<string, Pick<BatchReportLine, 'id' | 'sha256' | 'state'>>;

/** By unique name, what an earlier run sent. */
const readKept = ({ connection, signal }: Parts, { id, documents }: Batch): Promise<Kept> =>
  patiently(async () => {
    const kept = new Map<string, Pick<BatchReportLine, 'id' | 'sha256' | 'state'>>();
    if (documents === 0) return kept;
    for await (const { uniqueName, ...document } of readReport(connection, id)) if (uniqueName !== null) kept.set(uniqueName, document);
    return kept;
  }, signal);

const findKept = ({ line, record }: HashedLine, kept: Kept): LineOutcome | undefined => {
  const { uniqueName, sha256 } = record;
  const before = kept.get(uniqueName);
  if (before === undefined) return undefined;
  const { id, state } = before;
  if (before.sha256 === sha256) {
    const isThere = state === 'DRAFT' || !isTakenBack(state);
    return isThere ? { line, kind: 'added', id, flags: [] } : presentLine(line, { id, state });
  }
  return refusedLine(line, { code: 'RESOURCE_DUPLICATE', message: 'uniqueName: the batch has another file under it' });
};

/** As many parts as are sent concurrently, or more where a part would be too large. */
const partsOf = function* (lines: readonly HashedLine[], atOnce: number): Generator<HashedLine[]> {
  const perPart = Math.min(publishingLimits.maxDocumentsPerPart, Math.ceil(lines.length / atOnce));
  let part: HashedLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (part.length > 0 && (part.length >= perPart || bytes + line.size > publishingLimits.maxPartBytes)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(line);
    bytes += line.size;
  }
  if (part.length > 0) yield part;
};

const isTooLarge = (error: unknown): boolean => error instanceof RefusedError && error.answer?.code === 'DOCUMENT_MAX_SIZE_ERROR';

interface Answered {
  /** Those that could be read and were sent, in their order. */
  readonly sent: readonly HashedLine[];
  readonly unread: readonly LineOutcome[];
  readonly answer: AnswerOf<typeof calls.addToBatch>;
}

/** Opened anew in each attempt: a file that has changed meanwhile is then refused by its checksum, and not the whole part with it. */
const attempt = async ({ files, connection }: SendingParts, id: string, part: readonly HashedLine[]): Promise<Answered> => {
  await using opened = new AsyncDisposableStack();
  const form = new FormData();
  const sent: HashedLine[] = [];
  const unread: LineOutcome[] = [];
  for (const one of part)
    try {
      const { blob } = opened.use(await files.open(one.record.file));
      form.append('description', JSON.stringify(descriptionOf(one.record)));
      form.append('file', blob, one.record.fileName);
      sent.push(one);
    } catch (error) {
      unread.push(refusalOf(one.line, error));
    }
  const answer = sent.length === 0 ? { accepted: [], refused: [] } : await connection.call(calls.addToBatch, { params: { id }, form });
  return { sent, unread, answer };
};

const tell = ({ sent, unread, answer }: Answered, onOutcome: SendingParts['onOutcome']): void => {
  for (const outcome of unread) onOutcome(outcome);
  const outcomes = new Map<number, (line: number) => LineOutcome>();
  for (const { index, id, state, flags } of answer.accepted)
    outcomes.set(index, (line) => (state === 'DRAFT' ? { line, kind: 'added', id, flags } : presentLine(line, { id, state })));
  for (const { index, ...why } of answer.refused) outcomes.set(index, (line) => refusedLine(line, why));
  for (const [index, { line }] of sent.entries()) {
    const outcome = outcomes.get(index)?.(line);
    if (outcome === undefined) throw new RefusedError('the portal did not say what became of every document of a part');
    onOutcome(outcome);
  }
};

/** Parts of a batch, so many at once; each is read from the disk while it is sent. A part that broke off is sent again. */
export const createBatchSending = async (parts: SendingParts, batch: Batch): Promise<Sending> => {
  const { atOnce, onOutcome, signal } = parts;
  const kept = await readKept(parts, batch);
  return {
    find: (line) => findKept(line, kept),
    send: (lines) =>
      eachOf([...partsOf(lines, atOnce)], atOnce, async (part) => {
        signal?.throwIfAborted();
        try {
          tell(await patiently(() => attempt(parts, batch.id, part), signal), onOutcome);
        } catch (error) {
          const [one, ...others] = part;
          if (one === undefined || others.length > 0 || !isTooLarge(error)) throw error;
          onOutcome(refusalOf(one.line, error));
        }
      }),
  };
};

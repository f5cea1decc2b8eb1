import { batchReportLine, type BatchReportLine, calls, withdrawal, type Withdrawal } from '@pergamin/contract';
import { parse } from 'zod/mini';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';

const brokenOff = (cause?: unknown): RefusedError => new RefusedError('the report of the batch broke off', { cause });

/** The lines of a batch's report, as they come. Throws RefusedError when it breaks off. */
export const readReportLines = (connection: Connection, id: string): AsyncGenerator<string> =>
  linesOf(() => connection.open(calls.getBatchReport, { params: { id } }));

const linesOf = async function* (open: () => Promise<ReadableStream<Uint8Array>>): AsyncGenerator<string> {
  const stream = await open();
  let rest = '';
  try {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw brokenOff(error);
  }
  if (rest !== '') throw brokenOff();
};

/** The documents of a batch in the order in which they were sent. Throws as `readReportLines`. */
export const readReport = async function* (connection: Connection, id: string): AsyncGenerator<BatchReportLine> {
  for await (const line of readReportLines(connection, id)) yield parse(batchReportLine, JSON.parse(line));
};

/** Who has seen what of the published documents of a batch. Throws as `readReportLines`. */
export const readSightings = async function* (connection: Connection, id: string): AsyncGenerator<Withdrawal> {
  for await (const line of linesOf(() => connection.open(calls.getBatchSightings, { params: { id } })))
    yield parse(withdrawal, JSON.parse(line));
};

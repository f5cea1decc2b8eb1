import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RefusedError } from './errors.ts';
import { createProgress } from './progress.ts';

/** A report as lines of text. */
export interface ReportLines<Item> {
  readonly lineOf: (item: Item) => string;
  /** After the last line. */
  readonly summary: (rows: number) => string;
}

interface Target {
  readonly format: 'text' | 'csv' | 'json';
  /** Undefined: standard output. */
  readonly path: string | undefined;
}

const lineFeed = 10;

/** How many lines end in these bytes: in a report each row is one. */
const countLines = (bytes: Uint8Array): number => {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
};

/** The objects of a file that has one a line. Holds one chunk at a time, however long it is. */
async function* textOf<Item>(chunks: AsyncIterable<Uint8Array>, { lineOf }: ReportLines<Item>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // The portal writes each line from what types this.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if (lines.length > 0) yield lines.map((line) => `${lineOf(JSON.parse(line) as Item)}\n`).join('');
  }
}

/** Writes a report as it comes: a table, an object a line, or as text. Throws RefusedError when it is cut off. */
export const writeReport = async <Item>(
  report: ReadableStream<Uint8Array>,
  { format, path }: Target,
  lines: ReportLines<Item>,
): Promise<void> => {
  const progress = createProgress(process.stderr, { plainLines: true });
  // The first line of a table has its headings.
  let rows = format === 'csv' ? -1 : 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      rows += countLines(chunk);
      progress.show(`${Math.max(0, rows)} rows`);
      yield chunk;
    }
  }
  const source = counted(Readable.from(report));
  const content = format === 'text' ? textOf(source, lines) : source;
  try {
    // The file holds the personal ids of all recipients: only its owner may read it.
    await (path === undefined
      ? pipeline(content, process.stdout, { end: false })
      : pipeline(content, createWriteStream(path, { mode: 0o600 })));
  } catch (error) {
    throw new RefusedError(`the report could not be written completely${error instanceof Error ? `: ${error.message}` : ''}`, {
      cause: error,
    });
  } finally {
    progress.clear();
  }
  process.stderr.write(`${format === 'text' ? lines.summary(rows) : `${rows} rows`}\n`);
};

import { Readable } from 'node:stream';
import { asText, byteOrderMark, csvLine } from '#platform/csv/csv.ts';
import { attachmentHeaders } from '#platform/http/attachment.ts';
import type { Bytes } from '#platform/http/route.ts';

export type Columns<Item> = readonly (readonly [heading: string, cell: (item: Item) => string])[];

interface ReportFile<Item> {
  /** Without its ending. */
  readonly name: string;
  readonly format: 'csv' | 'json';
  readonly columns: Columns<Item>;
  readonly pages: AsyncIterable<readonly Item[]>;
}

/** Each row is one line, so that lines can be counted. */
const onOneLine = (text: string): string => text.replaceAll(/[\r\n\t]+/g, ' ');

/** Larger texts outlive the young generation, and the process grows by them. */
const rowsPerChunk = 50;

async function* chunksOf<Item>(pages: AsyncIterable<readonly Item[]>, lineOf: (item: Item) => string): AsyncGenerator<Buffer> {
  for await (const items of pages)
    for (let from = 0; from < items.length; from += rowsPerChunk)
      yield Buffer.from(
        items
          .slice(from, from + rowsPerChunk)
          .map((item) => lineOf(item))
          .join(''),
      );
}

async function* tableOf<Item>({ columns, pages }: ReportFile<Item>): AsyncGenerator<Buffer> {
  const headings = columns.map(([heading]) => heading);
  yield Buffer.from(byteOrderMark + csvLine(headings, 'EN'));
  yield* chunksOf(pages, (item) => {
    const cells = columns.map(([, cell]) => asText(onOneLine(cell(item))));
    return csvLine(cells, 'EN');
  });
}

const objectsOf = <Item>({ pages }: ReportFile<Item>): AsyncGenerator<Buffer> => chunksOf(pages, (item) => `${JSON.stringify(item)}\n`);

/** A report as a file, read page by page while it is taken: a table of RFC 4180 in which nothing is a formula, or an object a line. */
export const reportFile = <Item>(report: ReportFile<Item>): Bytes => {
  const { name, format } = report;
  const [ending, contentType, bytes] =
    format === 'csv'
      ? (['csv', 'text/csv; charset=utf-8', tableOf(report)] as const)
      : (['ndjson', 'application/x-ndjson', objectsOf(report)] as const);
  return { body: Readable.from(bytes, { objectMode: false }), contentType, headers: attachmentHeaders({ fileName: `${name}.${ending}` }) };
};

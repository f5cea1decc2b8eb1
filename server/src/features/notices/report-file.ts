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

async function* tableOf<Item>({ columns, pages }: ReportFile<Item>): AsyncGenerator<Buffer> {
  const headings = columns.map(([heading]) => heading);
  yield Buffer.from(byteOrderMark + csvLine(headings, 'EN'));
  for await (const items of pages) {
    const lines = items.map((item) => {
      const cells = columns.map(([, cell]) => asText(onOneLine(cell(item))));
      return csvLine(cells, 'EN');
    });
    yield Buffer.from(lines.join(''));
  }
}

async function* objectsOf<Item>({ pages }: ReportFile<Item>): AsyncGenerator<Buffer> {
  for await (const items of pages) yield Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}

/** A report as a file, read page by page while it is taken: a table of RFC 4180 in which nothing is a formula, or an object a line. */
export const reportFile = <Item>(report: ReportFile<Item>): Bytes => {
  const { name, format } = report;
  const [ending, contentType, bytes] =
    format === 'csv'
      ? (['csv', 'text/csv; charset=utf-8', tableOf(report)] as const)
      : (['ndjson', 'application/x-ndjson', objectsOf(report)] as const);
  return { body: Readable.from(bytes, { objectMode: false }), contentType, headers: attachmentHeaders({ fileName: `${name}.${ending}` }) };
};

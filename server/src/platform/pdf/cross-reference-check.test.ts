import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { pdfCorpus } from '#testing/pdf-corpus.ts';
import { withUpdate, writePackedPdf } from '#testing/packed-pdf.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';
import { checkCrossReferences } from './cross-reference-check.ts';

const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', stream('q Q')];

describe('the tables are right', () => {
  test.each<[string, Uint8Array]>([
    ['of a plain file', writePdf(objects)],
    ['that are streams', writePackedPdf(objects)],
    ['that streams complete', writePackedPdf(objects, { isHybrid: true })],
    ['of several versions', withUpdate(withUpdate(writePackedPdf(objects), new Map([[1, objects[0]!]])), new Map([[3, objects[2]!]]))],
    ['that give position 0 to a number without an object', withPosition0(4)],
    ['of a file with bytes before its header', Buffer.concat([Buffer.from('\n\n'), writePdf(objects)])],
  ])('%s', (_, file) => {
    expect(checkCrossReferences(file)).toBe('right');
  });
});

test('a position 0 of an object that is there is wrong', () => {
  expect(checkCrossReferences(withPosition0(3))).toBe('wrong');
});

test('a position within a longer number is wrong', () => {
  const pdf = Buffer.from(writePdf([...objects, ...Array.from({ length: 9 }, () => stream(' '))])).toString('latin1');
  const position = String(pdf.indexOf('12 0 obj') + 1).padStart(10, '0');
  expect(pdf.slice(Number(position))).toMatch(/^2 0 obj/);
  let number = 0;
  const damaged = pdf.replaceAll(/^\d{10} 00000 n/gm, (entry) => ((number += 1) === 2 ? `${position} 00000 n` : entry));
  expect(checkCrossReferences(Buffer.from(damaged, 'latin1'))).toBe('wrong');
});

function withPosition0(number: number): Uint8Array {
  return withUpdate(writePdf(objects), new Map(), { damage: (rows) => rows.set(number, { at: 0 }) });
}

/** Those that the engine rebuilds or refuses, and those whose entries lead elsewhere: no others. */
const notRight: Readonly<Record<string, readonly string[]>> = {
  wrong: ['issue18986.pdf', 'issue20453.pdf', 'poppler-395-0-fuzzed.pdf', 'poppler-937-0-fuzzed.pdf'],
  unread: [
    'bug1020226.pdf',
    'encrypted-attachment.pdf',
    'issue14755.pdf',
    'issue15590.pdf',
    'issue6069.pdf',
    'issue9105_other.pdf',
    'named_dest_collision_for_editor.pdf',
    'poppler-85140-0.pdf',
    'xref_command_missing.pdf',
  ],
};

const files = pdfCorpus.filter(({ name }) => name.endsWith('.pdf'));

test.skipIf(files.length === 0)('the tables of files of many writers are right, but for those that are damaged', () => {
  const found: Record<string, string[]> = { right: [], wrong: [], unread: [] };
  for (const { name, read } of files) found[checkCrossReferences(read())]?.push(name);
  expect(found).toMatchObject(notRight);
});

const megabytes = isNightly ? 5 : 1;
const filled = (part: string): string => part.repeat(Math.ceil((megabytes * 1024 * 1024) / part.length));
const withTail = (body: string, at: number): Buffer => Buffer.from(`%PDF-1.7\n${body}startxref\n${at}\n%%EOF\n`, 'latin1');
const table = (lines: number, position: number): string =>
  `xref\n1 ${lines}\n${`${String(position).padStart(10, '0')} 00000 n \n`.repeat(lines)}trailer<<>>\n`;
const lines = megabytes * 50_000;

/** Each of them after so many bytes. */
const atEnd = (body: string, end: string): Buffer => withTail(body + end, '%PDF-1.7\n'.length + body.length);
const streams = Array.from(
  { length: megabytes * 15_000 },
  (_, index) => `${index + 1} 0 obj <</Type/ObjStm/N 1/First 9999999/Filter/FlateDecode>>stream\n`,
);

/** What takes the square of the time takes minutes for the first of them. */
test.each<[string, () => Buffer]>([
  ['entries that lead to white space', () => atEnd(filled(' '), table(lines, 9))],
  ['entries that lead to a comment', () => atEnd(`%${filled('a')}`, table(lines, 9))],
  ['entries of no position', () => atEnd(filled('1 0 o'), table(lines, 0))],
  ['a trailer of comments', () => withTail(`xref\n0 0\ntrailer<<${filled('/Prev%')}`, 9)],
  ['a stream of filters', () => withTail(`1 0 obj<<${filled('/Filter[')}>>stream\n`, 9)],
  ['a dictionary without an end', () => withTail(`1 0 obj ${filled('<<')}`, 9)],
  ['streams of objects that hold none', () => packedStreams(streams.join(''))],
])('megabytes of %s are checked in time', (_, make) => {
  const file = make();
  const before = process.cpuUsage();
  checkCrossReferences(file);
  // Of the processor, which other work on the machine does not lengthen.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(400 * megabytes + 200);
});

/** Each object of a table that is a stream lies in one of these streams. */
function packedStreams(body: string): Buffer {
  const count = streams.length;
  const rows = Buffer.alloc(2 * count * 9);
  let at = '%PDF-1.7\n'.length;
  for (const [index, part] of streams.entries()) {
    rows[index * 9] = 1;
    rows.writeUInt32BE(at, index * 9 + 1);
    rows[(count + index) * 9] = 2;
    rows.writeUInt32BE(index + 1, (count + index) * 9 + 1);
    at += part.length;
  }
  const dictionary = `/Type/XRef/W[1 4 4]/Index[1 ${2 * count}]/Filter/FlateDecode`;
  return atEnd(body, `99999999 0 obj ${stream(deflateSync(rows).toString('latin1'), dictionary)} endobj\n`);
}

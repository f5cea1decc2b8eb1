import { readFileSync } from 'node:fs';
import { PDF } from '@libpdf/core';
import { describe, expect, test } from 'vitest';
import { foreign, withCatalogue } from '#testing/hostile-pdfs.ts';
import { isNightly } from '#testing/nightly.ts';
import { pdfCorpus } from '#testing/pdf-corpus.ts';
import { aPdf } from '#testing/pdfs.ts';
import { findForeignData } from './foreign-data.ts';
import { stream } from '#testing/simple-pdf.ts';

const joined = (...parts: (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const plain = joined(aPdf()).toString('latin1');
const update = `9 0 obj <<>> endobj\nxref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R/Prev 9/ID[<AB0F><ab0f>]>>\nstartxref\n${plain.length}\n%%EOF\n`;

/** What follows the archive is its comment. */
const endingAsArchive = (): Uint8Array => {
  const withComment = (bytes: number) => withCatalogue('', stream(foreign.zip(bytes).toString('latin1')));
  const file = Buffer.from(withComment(0));
  return withComment(file.length - file.indexOf('PK\u0005\u0006') - foreign.endBytes);
};

describe('data that are no part of a PDF are found', () => {
  const zip = foreign.zip();
  test.each<[string, Uint8Array, RegExp]>([
    ['an archive behind the end', joined(plain, zip), /archive/],
    ['an archive behind the end that is not at its own end', joined(plain, zip, ' '), /outside/],
    ['a web page behind the end', joined(plain, foreign.html), /outside/],
    ['a web page on the line of the end', joined(plain.trimEnd(), foreign.html), /outside/],
    ['a program behind the end', joined(plain, foreign.program), /outside/],
    ['one letter behind the end', joined(plain, 'x'), /outside/],
    ['two control bytes behind the end', joined(plain, '\u001a\u001a'), /outside/],
    ['a control byte and a letter behind the end', joined(plain, '\u001ax'), /outside/],
    ['a control byte behind a file without an end', joined(plain.replace('%%EOF\n', ''), '\u001a'), /outside/],
    ['a control byte between two ends', joined(plain, '\u001a%%EOF\n'), /outside/],
    ['a control byte between objects', joined(plain.replace('2 0 obj', '\u001a2 0 obj')), /outside/],
    ['an archive whose comment is a control byte', joined(plain, foreign.zip(1), '\u001a'), /archive/],
    ['an archive whose comment is an end and a control byte', joined(plain, foreign.zip(7), '%%EOF\n\u001a'), /archive/],
    ['a web page, an end and a control byte', joined(plain, foreign.html, '%%EOF\n\u001a'), /outside/],
    ['an archive and another end', joined(plain, zip, '\n%%EOF\n'), /outside/],
    ['an archive that counts another end as its comment', joined(plain, foreign.zip(6), '%%EOF\n'), /archive/],
    ['an archive, an object and another end', joined(plain, zip, '\n', update), /outside/],
    ['an archive and a table that is found', joined(plain, zip, `\nstartxref\n9\n%%EOF\n`), /outside/],
    ['a web page as a comment', joined(plain, `%${String(foreign.html)}\n%%EOF\n`), /outside/],
    ['a web page in the trailer', joined(plain, `trailer<</A(<script>)>>\n%%EOF\n`), /outside/],
    ['an archive between objects', joined(plain.replace('2 0 obj', `${zip.toString('latin1')}2 0 obj`)), /outside/],
    ['an archive behind an object that is not ended', joined(plain, '9 0 obj <<', zip, '\n%%EOF\n'), /outside/],
    ['an archive behind a stream that is not ended', joined(plain, '9 0 obj <<>>stream\n', zip, '\n%%EOF\n'), /outside/],
    ['an archive in a stream, up to the end of the file', endingAsArchive(), /archive/],
    ['an archive in a table', joined(plain, 'xref\n', zip, 'trailer<<>>\n%%EOF\n'), /outside/],
    ['a web page in a table', joined(plain, 'xref\n', foreign.html, 'trailer<<>>\n%%EOF\n'), /outside/],
    ['a file without any end', joined(plain.replace('%%EOF\n', ''), foreign.html), /outside/],
    ['a web page in the line of the version', joined(plain.replace('%PDF-1.7', '%PDF-1.7<html>')), /first line/],
    ['a comment in the line of the version', joined(plain.replace('%PDF-1.7', '%PDF-1.7 %abc')), /first line/],
    ['a word before the header', joined('x', plain), /before/],
    ['900 spaces before the header', joined(' '.repeat(900), plain), /before/],
  ])('%s', (_, file, where) => {
    expect(findForeignData(file)).toMatch(where);
  });
});

describe('nothing is found in', () => {
  test.each<[string, Uint8Array]>([
    ['a plain file', joined(plain)],
    ['a table with a wrong sign', joined(plain, update.replace('65535', '6/535'))],
    ['white space and zeros behind the end', joined(plain, '\r\n\r\n\0\0\0 \t\f')],
    ['no line break behind the end', joined(plain.trimEnd())],
    ...['\u001a', '\u0004', '\0', '\u007f', '\xff'].map((sign): [string, Uint8Array] => [
      `the control byte ${sign.charCodeAt(0)} behind the end`,
      joined(plain, sign),
    ]),
    [
      'a file of a program that ends all files with Ctrl-Z',
      readFileSync(new URL('../../testing/awkward-pdfs/tail-ctrl-z.pdf', import.meta.url)),
    ],
    ['a control byte on the line of the end, and line breaks', joined(plain.trimEnd(), '\u001a\r\n\r\n')],
    ['a byte order mark and white space before the header', joined('\xef\xbb\xbf\r\n', plain)],
    ['an update', joined(plain, update)],
    ['an update right behind the end', joined(plain.trimEnd(), update)],
    ['two updates', joined(plain, update, update)],
    ['line breaks of other systems', joined(plain.replaceAll('\n', '\r\n'))],
    ['a comment of signs', joined(plain.replace('\n', '\n%\xe2\xe3\xcf\xd3\n'))],
    ['a web page in a string of an object', withCatalogue('', '(<html><script>)')],
    [
      'a web page, an end and an archive in a stream',
      withCatalogue('', stream(`${String(foreign.html)}%%EOF\n${foreign.zip().toString('latin1')}`)),
    ],
    ['a PDF within the PDF', withCatalogue('', stream(plain, '/Type/EmbeddedFile'))],
    ['a PDF within the PDF whose length is another object', withCatalogue('', `<</Length 9 0 R>>stream\n${plain}\nendstream`)],
  ])('%s', (_, file) => {
    expect(findForeignData(file)).toBeUndefined();
  });

  test('a file that was written anew, and one that was updated', async () => {
    const pdf = await PDF.load(aPdf());
    pdf.setTitle('Umowa');
    expect(findForeignData(await pdf.save())).toBeUndefined();
    expect(findForeignData(await pdf.save({ incremental: true }))).toBeUndefined();
  });
});

/** What takes the square of the time takes minutes for the first of them. */
const megabytes = isNightly ? 5 : 1;

test.each([
  ['objects without an end', '1 0 obj << endobj '],
  ['streams without an end', '1 0 obj<<>>stream endobj '],
  ['comments', '%\n'],
  ['numbers', '1 '],
  ['lists', '<<'],
  ['lengths', '/Length 1 1 1'],
  ['names in numbers', '/A#41'],
  ['marks of archives', 'PK\u0005\u0006'],
])('megabytes of %s are inspected in time', (_, part) => {
  const file = joined('%PDF-1.7\n', Buffer.alloc(megabytes * 1024 * 1024, part));
  const before = process.cpuUsage();
  findForeignData(file);
  // Of the processor, which other work on the machine does not lengthen.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(400 * megabytes + 200);
});

// Text before the header or instead of objects, which was never taken; half of a file, which has no end.
const exceptions = new Set(['issue6069.pdf', 'own: no objects', 'own: one half of a file']);

test('nothing is found in files of many writers', () => {
  const found = pdfCorpus.filter(({ read }) => findForeignData(read()) !== undefined).map(({ name }) => name);
  expect(found).toEqual(pdfCorpus.map(({ name }) => name).filter((name) => exceptions.has(name)));
});

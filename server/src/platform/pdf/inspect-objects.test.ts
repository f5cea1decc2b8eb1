import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inspectObjects } from './inspect-objects.ts';
import { manyObjectStreams } from '#testing/hostile-pdfs.ts';
import { pdfCorpus } from '#testing/pdf-corpus.ts';
import { stream, writePages, writePdf } from '#testing/simple-pdf.ts';

const withObjects = (...objects: string[]): Uint8Array => writePdf(['<</Type/Catalog>>', ...objects]);
const flagsOf = (file: Uint8Array): string[] => [...inspectObjects(file).flags].toSorted();
/** Objects in a stream, as most writers pack them. */
const packed = (content: string, { offset = 0, entries = '/Filter/FlateDecode', type = '/Type/ObjStm' } = {}): string => {
  const table = `9 ${offset} `;
  return stream(deflateSync(Buffer.from(`${table}${content}`, 'latin1')).toString('latin1'), `${type}/N 1/First ${table.length}${entries}`);
};
const table = '9 0 '.repeat(1_000_000);
const aMillion = stream(
  deflateSync(Buffer.from(`${table}null`)).toString('latin1'),
  `/Type/ObjStm/N 1000000/First ${table.length}/Filter/FlateDecode`,
);
const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';

test('a plain document has nothing to be said of', () => {
  expect(inspectObjects(writePages(['', '']))).toEqual({
    flags: new Set(),
    mayBeIncomplete: false,
    mayBeSigned: false,
    mayHideLayers: false,
    unread: undefined,
    isTooMuch: false,
  });
});

describe('what a PDF could do elsewhere is found', () => {
  test.each([
    ['a script', script, 'JAVASCRIPT'],
    ['a script under the names of the document', '<</Names<</JavaScript 3 0 R>>>>', 'JAVASCRIPT'],
    ['a name written in numbers', '<</S/J#61va#53cript>>', 'JAVASCRIPT'],
    ['a name behind a comment', '<</S% (\n/Launch>>', 'LAUNCH'],
    ['a program to be started', '<</S/Launch/F(cmd.exe)>>', 'LAUNCH'],
    ['a name that is an object of its own', '/Launch', 'LAUNCH'],
    ['a name behind a word that other readers pass over', '<</A stream /S/JavaScript>>', 'JAVASCRIPT'],
    ['a name behind an end that is none', '<</A endobj /S/Launch>>', 'LAUNCH'],
    ['a file within the file', '<</Type/EmbeddedFile>>', 'EMBEDDED_FILE'],
    ['a form that is sent somewhere', '<</S/SubmitForm/F(https://evil.example)>>', 'FORM_SUBMIT'],
    ['a link', '<</S/URI/URI(https://example.com)>>', 'OUTSIDE_LINK'],
    ['a form in XML', '<</XFA 3 0 R>>', 'XFA'],
    ['a film', '<</Subtype/RichMedia>>', 'RICH_MEDIA'],
  ])('%s', (_, object, flag) => {
    expect(flagsOf(withObjects(object))).toEqual([flag]);
    expect(flagsOf(withObjects(packed(object)))).toEqual([flag]);
  });

  test('a script is found in objects that the newest table of the file no longer knows', () => {
    const first = withObjects(script);
    expect(flagsOf(Buffer.concat([first, Buffer.from('2 0 obj <<>> endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')]))).toEqual(['JAVASCRIPT']);
  });

  test('a script is found in an object that begins within the string of another', () => {
    expect(flagsOf(withObjects(`(2 0 obj ${script} endobj)`))).toEqual(['JAVASCRIPT']);
    expect(flagsOf(withObjects(packed('(  <</S/Launch>>)', { offset: 3 })))).toEqual(['LAUNCH']);
  });

  test('a script is found in packed objects that do not say what they are', () => {
    expect(flagsOf(withObjects(packed(script, { type: '/Type 5 0 R' })))).toEqual(['JAVASCRIPT']);
    expect(flagsOf(withObjects(packed(script, { entries: '/Filter 5 0 R' })))).toEqual(['JAVASCRIPT']);
  });

  test('a script is found in the trailer', () => {
    expect(flagsOf(Buffer.from('%PDF-1.7\ntrailer<</Root<</OpenAction<</S/Launch>>>>>>'))).toEqual(['LAUNCH']);
  });
});

describe('what is only written about is not taken for it', () => {
  test.each([
    ['a text', '(how to write /JavaScript and /Launch)'],
    ['a text with brackets', '(a (b) \\( /JS)'],
    ['a longer name', '<</JavaScripts/JSX>>'],
    ['a comment', '<<% /Launch\n>>'],
    ['the content of a page', stream('BT (x) Tj /JavaScript gs ET')],
  ])('%s', (_, object) => {
    expect(inspectObjects(withObjects(object))).toEqual({
      flags: new Set(),
      mayBeIncomplete: false,
      mayBeSigned: false,
      mayHideLayers: false,
      unread: undefined,
      isTooMuch: false,
    });
  });
});

describe('what cannot be inspected is reported', () => {
  test.each([
    ['packed in a way of other times', packed(script, { entries: '/Filter/LZWDecode' }), /unusual/],
    ['packed twice', packed(script, { entries: '/Filter[/ASCIIHexDecode/FlateDecode]' }), /unusual/],
    ['packed, but not where it says', stream('no numbers', '/Type/ObjStm/N 1/First 4/Filter/FlateDecode'), /unusual/],
    ['a million of them', aMillion, /too many objects/],
    ['a length that is another object', stream('1 0 <<>>', '/Type/ObjStm/N 1/First 7 0 R'), /unusual/],
    [
      'a bomb of ten thousand to one',
      stream(deflateSync(Buffer.alloc(70 * 1024 * 1024, ' ')).toString('latin1'), '/Type/ObjStm/N 1/First 4/Filter/FlateDecode'),
      /too large/,
    ],
  ])('%s', (_, object, why) => {
    expect(inspectObjects(withObjects(object)).unread).toMatch(why);
  });

  test('objects that lie within one another by the thousand, in time', () => {
    const file = Buffer.from(`%PDF-1.7\n${'1 0 obj << '.repeat(400_000)}`);
    const startedAt = performance.now();
    expect(inspectObjects(file).unread).toMatch(/within one another/);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});

test.each([
  ['a composite font without a descriptor', '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial>>', true],
  ['a composite font whose descriptor names no file', '[<</Subtype/CIDFontType0/FontDescriptor 9 0 R>><</FontName/Arial>>]', true],
  ['free text without an appearance', '<</Subtype/FreeText/Contents(a)>>', true],
  ['a composite font in the file', '[<</Subtype/CIDFontType2/FontDescriptor<</FontName/Arial/FontFile2 9 0 R>>>>]', false],
  ['free text with an appearance', '<</Subtype/FreeText/AP<</N 9 0 R>>>>', false],
  ['a simple font', '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>', false],
])('only what a file leaves out is looked for in it: %s', (_what, object, expected) => {
  expect(inspectObjects(withObjects(object)).mayBeIncomplete).toBe(expected);
});

test.each([
  ['as it is', '<</Type/Sig/ByteRange[0 1 2 3]>>', true],
  ['written in numbers', '<</Type/Sig/Byte#52ange[0 1 2 3]>>', true],
  ['in packed objects', packed('<</Type/Sig/ByteRange[0 1 2 3]>>'), true],
  ['in a text only', '(/ByteRange)', false],
])('the name of what a signature covers is found %s', (_where, object, expected) => {
  expect(inspectObjects(withObjects(object)).mayBeSigned).toBe(expected);
});

test('whatever the bytes are: an answer, in time', () => {
  const slow: string[] = [];
  const seen = new Set<string>();
  for (const { name, read } of pdfCorpus) {
    const file = read();
    const startedAt = performance.now();
    for (const flag of inspectObjects(file).flags) seen.add(flag);
    if (performance.now() - startedAt > 2_000) slow.push(name);
  }
  expect(slow).toEqual([]);
  expect([...seen]).toEqual(expect.arrayContaining(['JAVASCRIPT', 'EMBEDDED_FILE', 'OUTSIDE_LINK', 'XFA']));
});

/** The least CPU time of three runs, in microseconds. */
const cpuOf = (work: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );

test('inspecting a file of packed names takes less than looking at each byte of 64 MB', () => {
  const file = manyObjectStreams();
  // An eighth of them.
  const bytes = Buffer.alloc(8 * 1024 * 1024, '/J#61');
  const lookAtEach = (): number => {
    let hash = 0;
    for (let at = 0; at < bytes.length; at += 1) hash = (Math.imul(hash, 31) + bytes.readUInt8(at)) | 0;
    return hash;
  };
  expect(cpuOf(() => inspectObjects(file))).toBeLessThan(8 * cpuOf(lookAtEach));
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TableEncoding } from './table-encoding.ts';
import { readTextLines, type TextLine } from './text-lines.ts';

let folder: string;

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-lines-'));
});

afterAll(() => rm(folder, { recursive: true }));

const read = async (content: string | Uint8Array, encoding: TableEncoding = 'utf-8'): Promise<TextLine[]> => {
  const path = join(folder, 'a.csv');
  await writeFile(path, content);
  return collect(readTextLines(path, encoding));
};

const polish = 'Zażółć gęślą jaźń';
const inWindows = Buffer.from([0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6, 0x20, 0x67, 0xea, 0x9c, 0x6c, 0xb9, 0x20, 0x6a, 0x61, 0x9f, 0xf1]);
const inIso = Buffer.from([0x67, 0xea, 0xb6, 0x6c, 0xb1, 0x20, 0x6a, 0x61, 0xbc, 0xf1]);
const asUtf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('lines end', () => {
  test.each([
    ['LF', 'a\nb\n\nc'],
    ['CR', 'a\rb\r\rc\r'],
    ['CRLF', 'a\r\nb\r\n\r\nc\r\n'],
    ['the one and the other', 'a\rb\n\r\nc'],
  ])('with %s', async (_, text) => {
    expect(await read(text)).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: 'b' },
      { line: 4, text: 'c' },
    ]);
  });

  test('once, where CR is the last byte of what is read at once, and LF the first of the next', async () => {
    for (const length of [65_534, 65_535, 65_536]) {
      const [first, second] = await read(`${'x\n'.repeat(16_000)}${'y'.repeat(length - 32_000)}\r\nz`).then((lines) => lines.slice(-2));
      expect([first?.line, second]).toEqual([16_001, { line: 16_002, text: 'z' }]);
    }
  });
});

describe('an encoding that is said', () => {
  test.each([
    ['windows-1250', Buffer.concat([inWindows, Buffer.from('\r\na')])],
    ['utf-16', asUtf16(`${polish}\r\na`)],
    ['utf-16', asUtf16(`${polish}\r\na`).swap16()],
    ['utf-16', Buffer.from(`${polish}\na`, 'utf16le')],
    ['utf-8', Buffer.from(`\uFEFF${polish}\na`)],
  ] as const)('%s is read', async (encoding, bytes) => {
    expect(await read(bytes, encoding)).toEqual([
      { line: 1, text: polish },
      { line: 2, text: 'a' },
    ]);
  });

  test.each([
    ['windows-1250', Buffer.from(polish), 'is UTF-8: leave out --encoding'],
    ['windows-1250', asUtf16(polish), 'is UTF-16: say --encoding utf-16'],
    ['utf-16', Buffer.from(polish), 'is not UTF-16'],
  ] as const)('%s is refused where the bytes are something else', async (encoding, bytes, sentence) => {
    await expect(read(bytes, encoding)).rejects.toThrow(sentence);
  });

  test('windows-1250 may be words that UTF-8 could be, with letters that no Polish text has', async () => {
    expect(await read(Buffer.from([0x53, 0x50, 0xd3, 0xa3, 0x4b, 0x41]), 'windows-1250')).toEqual([{ line: 1, text: 'SPÓŁKA' }]);
  });
});

describe('an encoding that is not said', () => {
  test.each([
    ['Windows-1250', inWindows, 'not UTF-8; it looks like windows-1250: add --encoding windows-1250, or save it as UTF-8'],
    ['ISO-8859-2', inIso, 'not UTF-8; it looks like ISO-8859-2: save it as UTF-8'],
    ['UTF-16', asUtf16(polish), 'not UTF-8; it looks like UTF-16: add --encoding utf-16, or save it as UTF-8'],
    ['something else', Buffer.from([0x80, 0x81, 0x82]), 'not UTF-8: save it as UTF-8, or say --encoding windows-1250 or utf-16'],
  ])('is guessed and named: %s', async (_, bytes, problem) => {
    expect(await read(bytes)).toContainEqual({ line: 1, problem });
  });

  test('makes every line beyond ASCII doubtful, also one that is valid UTF-8', async () => {
    const company = Buffer.from([0x53, 0x50, 0xd3, 0xa3, 0x4b, 0x41]);
    const lines = await read(Buffer.concat([company, Buffer.from('\nJan\n'), inWindows]));
    expect(lines.map((line) => 'problem' in line)).toEqual([true, false, true]);
  });
});

test('a letter that an earlier conversion has lost is not published', async () => {
  expect(await read('Wyci\uFFFDg')).toEqual([{ line: 1, problem: 'holds a letter that was lost in a conversion before (U+FFFD)' }]);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openManifestFiles } from './manifest-files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-zip-'));
});

afterAll(() => rm(folder, { recursive: true }));

interface Named {
  readonly name: Uint8Array;
  readonly isUtf8?: boolean;
  readonly extra?: Uint8Array;
}

const pdf = Buffer.from('%PDF-1.7');

const header = ({ name, isUtf8 = false, extra = new Uint8Array() }: Named, offset: number | undefined): Buffer => {
  const isLocal = offset === undefined;
  const fixed = Buffer.alloc(isLocal ? 30 : 46);
  fixed.write(isLocal ? 'PK\u0003\u0004' : 'PK\u0001\u0002', 'latin1');
  const at = isLocal ? 4 : 6;
  fixed.writeUInt16LE(20, at);
  fixed.writeUInt16LE(isUtf8 ? 0x800 : 0, at + 2);
  fixed.writeUInt32LE(crc32(pdf), at + 10);
  fixed.writeUInt32LE(pdf.length, at + 14);
  fixed.writeUInt32LE(pdf.length, at + 18);
  fixed.writeUInt16LE(name.length, at + 22);
  fixed.writeUInt16LE(extra.length, at + 24);
  if (offset !== undefined) fixed.writeUInt32LE(offset, 42);
  return Buffer.concat([fixed, name, extra]);
};

/** An archive of stored PDFs, with names in the bytes and with the flags that are given. */
const anArchive = (files: readonly Named[]): Buffer => {
  let bytes = Buffer.alloc(0);
  const directory: Buffer[] = [];
  for (const file of files) {
    directory.push(header(file, bytes.length));
    bytes = Buffer.concat([bytes, header(file, undefined), pdf]);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(bytes.length, 16);
  return Buffer.concat([bytes, listed, end]);
};

const unicodePath = (name: Uint8Array, text: string): Buffer => {
  const data = Buffer.concat([Buffer.alloc(5), Buffer.from(text)]);
  data.writeUInt8(1, 0);
  data.writeUInt32LE(crc32(name), 1);
  const start = Buffer.alloc(4);
  start.writeUInt16LE(0x7075, 0);
  start.writeUInt16LE(data.length, 2);
  return Buffer.concat([start, data]);
};

const open = async (files: readonly Named[]) => {
  await writeFile(join(folder, 'a.zip'), anArchive(files));
  return openManifestFiles(join(folder, 'a.zip'));
};

const cp852 = (text: string): Buffer =>
  Buffer.from(text.replaceAll('ą', '\u00A5').replaceAll('ł', '\u0088').replaceAll('ó', '\u00A2'), 'latin1');
const question = Buffer.from('Wyci?g.pdf');
const sought = 'Wyciąg.pdf';

describe('a name in an archive is found', () => {
  test.each([
    ['UTF-8 that the archive says', { name: Buffer.from(sought), isUtf8: true }],
    ['UTF-8 that it does not say', { name: Buffer.from(sought) }],
    ['decomposed UTF-8', { name: Buffer.from(sought.normalize('NFD')) }],
    ['code page 852', { name: cp852(sought) }],
    ['the Unicode path beside another name', { name: question, extra: unicodePath(question, sought) }],
  ])('in %s', async (_, named) => {
    await using files = await open([{ name: Buffer.from('other.pdf') }, named]);
    expect(await files.hash(sought)).toMatchObject({ size: pdf.length });
  });

  test('in code page 437, and with backslashes between folders', async () => {
    await using files = await open([{ name: Buffer.from('sub\\K\u0094ln.pdf', 'latin1') }]);
    for (const path of ['sub/Köln.pdf', '.\\sub\\Köln.pdf']) expect(await files.hash(path)).toMatchObject({ size: pdf.length });
  });
});

test('a Unicode path that was made for another name does not count', async () => {
  await using files = await open([{ name: question, extra: unicodePath(Buffer.from('x'), sought) }]);
  await expect(files.hash(sought)).rejects.toThrow("there is no such file; the nearest is 'Wyci?g.pdf'");
});

test('two names that fit are refused and named; one that is exactly so is taken', async () => {
  const two = [{ name: Buffer.from(sought.normalize('NFD')), isUtf8: true }, { name: cp852(sought) }];
  {
    await using files = await open(two);
    await expect(files.hash(sought)).rejects.toThrow(
      `several files of the archive fit, and none is of exactly this name: '${sought.normalize('NFD')}', '${sought}'`,
    );
  }
  await using files = await open([...two, { name: Buffer.from(sought), isUtf8: true }]);
  expect(await files.hash(sought)).toMatchObject({ size: pdf.length });
});

test('a name is not there: the nearest is named, whatever marks or capitals its letters have', async () => {
  await using files = await open(
    ['Umowa.pdf', 'Wyciąg 11.pdf', 'Wyciag 12.pdf'].map((name) => ({ name: Buffer.from(name), isUtf8: true })),
  );
  await expect(files.hash('wyciag 11.PDF')).rejects.toThrow("the nearest is 'Wyciąg 11.pdf'");
});

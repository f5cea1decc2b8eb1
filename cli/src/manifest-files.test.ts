import { createHash } from 'node:crypto';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadZip } from 'client-zip';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ManifestFiles, openManifestFiles } from './manifest-files.ts';

let folder: string;

const pdf = Buffer.from('%PDF-1.7 of a test');
const sha256 = createHash('sha256').update(pdf).digest('hex');
const maxBytes = 1_000;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-files-'));
  await mkdir(join(folder, 'root', 'below'), { recursive: true });
  await mkdir(join(folder, 'beside'));
  for (const name of ['root/a.pdf', 'root/below/ą.pdf', 'beside/secret.pdf']) await writeFile(join(folder, name), pdf);
  await writeFile(join(folder, 'root', 'picture.pdf'), '<svg/>');
  await symlink(join(folder, 'beside', 'secret.pdf'), join(folder, 'root', 'link.pdf'));
  await symlink(join(folder, 'beside'), join(folder, 'root', 'door'));
  await link(join(folder, 'root', 'a.pdf'), join(folder, 'root', 'same.pdf'));
});

afterAll(() => rm(folder, { recursive: true }));

const zipOf = async (files: readonly { name: string; input: Uint8Array }[]): Promise<Buffer> =>
  Buffer.from(await downloadZip(files.map(({ name, input }) => ({ name, input: new Blob([Uint8Array.from(input)]) }))).arrayBuffer());

const openZip = async (name: string, bytes: Uint8Array): Promise<ManifestFiles> => {
  await writeFile(join(folder, name), bytes);
  return openManifestFiles(join(folder, name), { maxBytes });
};

const sentOf = async (files: ManifestFiles, path: string): Promise<string> => {
  await using file = await files.open(path);
  return await file.blob.text();
};

describe('of a folder', () => {
  test.each(['a.pdf', 'below/ą.pdf', './a.pdf', 'below/../a.pdf', 'same.pdf', 'below\\ą.pdf', './below/ą.pdf'.normalize('NFD')])(
    'the file %s is hashed and sent',
    async (path) => {
      await using files = await openManifestFiles(join(folder, 'root'), { maxBytes });
      expect(await files.hash(path)).toEqual({ sha256, size: pdf.length });
      expect(await sentOf(files, path)).toBe(pdf.toString());
    },
  );

  test.each([
    ['a path that leaves it', '../beside/secret.pdf', 'the path leaves the folder of the files'],
    ['a path that leaves it on the way', 'below/../../beside/secret.pdf', 'the path leaves the folder of the files'],
    ['a path from the root', '/etc/hostname', 'the path leaves the folder of the files'],
    ['a link to a file', 'link.pdf', 'the path goes over a symbolic link'],
    ['a file behind a link to a folder', 'door/secret.pdf', 'the path goes over a symbolic link'],
    ['a NUL', 'a.pdf\0.txt', 'there is no such file'],
    ['a path that leaves it by backslashes', 'below\\..\\..\\beside\\secret.pdf', 'the path leaves the folder of the files'],
    ['a link to a folder, by a backslash', 'door\\secret.pdf', 'the path goes over a symbolic link'],
    ['nothing', 'b.pdf', "there is no such file; the nearest is 'a.pdf'"],
    ['nothing below', 'below/a.pdf', "there is no such file; the nearest is 'below/ą.pdf'"],
    ['another case', 'Picture.PDF', "there is no such file; the nearest is 'picture.pdf'"],
    ['a folder', 'below', expect.stringContaining('there is no such file; the nearest is ')],
    ['the folder itself', '.', expect.stringContaining('there is no such file')],
    ['no PDF', 'picture.pdf', 'not a PDF'],
  ])('%s is refused', async (_, path, message) => {
    await using files = await openManifestFiles(join(folder, 'root'), { maxBytes });
    await expect(files.hash(path)).rejects.toMatchObject({ name: 'FileRefused', message });
  });
});

test.runIf(process.platform === 'linux')('of two files that fit, none is taken but one of exactly this name', async () => {
  const names = ['s\u0301z\u0301.pdf', '\u015Bz\u0301.pdf'];
  const root = join(folder, 'alike');
  await mkdir(root);
  for (const name of names) await writeFile(join(root, name), pdf);
  const sought = '\u015B\u017A.pdf';
  {
    await using files = await openManifestFiles(root);
    await expect(files.hash(sought)).rejects.toThrow(/^several files of the folder fit, and none is of exactly this name: '.+', '.+'$/);
  }
  await writeFile(join(root, sought), pdf);
  await using files = await openManifestFiles(root);
  expect(await files.hash(sought)).toMatchObject({ sha256 });
});

test.runIf(process.platform === 'linux')('a file of a folder that cannot be read is refused, and those beside it are not', async () => {
  // A regular file of the system that begins with what no program may read.
  await using files = await openManifestFiles('/proc/self', { maxBytes });
  await expect(files.hash('mem')).rejects.toMatchObject({ name: 'FileRefused', message: 'the file cannot be read' });
});

describe('of a ZIP archive', () => {
  test('files are hashed and sent by the names that it gives them, also those that look like paths elsewhere', async () => {
    const names = ['a.pdf', 'below/ą.pdf', '../evil.pdf'];
    // The archive's own reader refuses names that lead out of it, so that one of them makes the whole archive unreadable.
    await expect(openZip('slip.zip', await zipOf(names.map((name) => ({ name, input: pdf }))))).rejects.toThrow(
      'not a readable ZIP archive',
    );
    await using files = await openZip('good.zip', await zipOf(names.slice(0, 2).map((name) => ({ name, input: pdf }))));
    for (const name of names.slice(0, 2)) {
      expect(await files.hash(name)).toEqual({ sha256, size: pdf.length });
      expect(await sentOf(files, name)).toBe(pdf.toString());
    }
    await expect(files.hash('b.pdf')).rejects.toThrow("there is no such file; the nearest is 'a.pdf'");
  });

  test('a file that is too large when it is unpacked is refused before it is', async () => {
    await using files = await openZip('large.zip', await zipOf([{ name: 'a.pdf', input: Buffer.alloc(maxBytes + 1, pdf) }]));
    await expect(sentOf(files, 'a.pdf')).rejects.toMatchObject({ code: 'DOCUMENT_MAX_SIZE_ERROR' });
  });

  test('a file that is larger than it says is refused', async () => {
    const bytes = await zipOf([{ name: 'a.pdf', input: pdf }]);
    const directory = bytes.indexOf('PK\u0001\u0002');
    bytes.writeUInt32LE(5, directory + 24);
    await expect(openZip('lying.zip', bytes)).rejects.toThrow('not a readable ZIP archive');
  });

  test('a machine that cannot unpack ends the run: no file is to blame', async () => {
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    vi.stubEnv('TMPDIR', unpacked);
    onTestFinished(() => void vi.unstubAllEnvs());
    await using files = await openZip('room.zip', await zipOf([{ name: 'a.pdf', input: pdf }]));
    await rm(unpacked, { recursive: true });
    await expect(sentOf(files, 'a.pdf')).rejects.toMatchObject({ name: 'RefusedError' });
  });

  test('a name that is there twice is refused: it is not known which is meant', async () => {
    const other = Buffer.from('%PDF-1.7 of another');
    await using files = await openZip('twice.zip', await zipOf([pdf, other].map((input) => ({ name: 'a.pdf', input }))));
    await expect(files.hash('a.pdf')).rejects.toThrow('two files of this name');
  });

  test.each([
    ['no archive', Buffer.from('hello')],
    ['half an archive', Buffer.from('PK\u0003\u0004 and nothing more')],
  ])('%s cannot be read', async (_, bytes) => {
    await expect(openZip('broken.zip', bytes)).rejects.toThrow('is not a readable ZIP archive');
  });
});

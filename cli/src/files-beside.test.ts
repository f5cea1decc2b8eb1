import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesBeside, stateOfFiles } from './files-beside.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-beside-'));
});

afterAll(() => rm(folder, { recursive: true }));

const header = 'file;type;uniqueName\n';

test('the state of the files of a manifest is another one when one of them comes or grows', async () => {
  const manifest = join(folder, 'a.csv');
  await writeFile(manifest, `${header}1.pdf;PUBLIC;a1\n2.pdf;PUBLIC;a2\n`);
  await writeFile(join(folder, '1.pdf'), '%PDF-');
  const states = [await stateOfFiles(manifest, 'utf-8')];
  await appendFile(join(folder, '1.pdf'), '1.7');
  states.push(await stateOfFiles(manifest, 'utf-8'));
  await writeFile(join(folder, '2.pdf'), '%PDF-');
  states.push(await stateOfFiles(manifest, 'utf-8'));
  await writeFile(join(folder, 'other.pdf'), '%PDF-');
  expect(new Set(states).size).toBe(3);
  expect(await stateOfFiles(manifest, 'utf-8')).toBe(states[2]);
});

test('with an archive beside it, it is that of the archive', async () => {
  const manifest = join(folder, 'b.csv');
  await writeFile(manifest, `${header}1.pdf;PUBLIC;b1\n`);
  await writeFile(join(folder, 'b.zip'), 'PK');
  const before = await stateOfFiles(manifest, 'utf-8');
  await appendFile(join(folder, '1.pdf'), 'more');
  expect(await stateOfFiles(manifest, 'utf-8')).toBe(before);
  await appendFile(join(folder, 'b.zip'), 'more');
  expect(await stateOfFiles(manifest, 'utf-8')).not.toBe(before);
});

test('an archive whose name looks alike is that of the manifest', async () => {
  await writeFile(join(folder, 'Wyciągi ź.ZIP'.normalize('NFD')), 'PK');
  expect(await filesBeside(join(folder, 'Wyciągi ź.csv'))).toBe(join(folder, 'Wyciągi ź.ZIP'.normalize('NFD')));
  expect(await filesBeside(join(folder, 'Wyciągi.csv'))).toBe(folder);
});

test('of a manifest that cannot be read it stays the same', async () => {
  const manifest = join(folder, 'c.csv');
  await writeFile(manifest, 'colour\n');
  expect(await stateOfFiles(manifest, 'utf-8')).toBe(await stateOfFiles(manifest, 'utf-8'));
});

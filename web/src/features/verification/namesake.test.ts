import type { DocumentRow } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { findIn } from './namesake.ts';

const document = (id: string, fileName: string, corrupted = false): DocumentRow => ({
  id,
  state: 'ACTIVE',
  metadata: { FILE_NAME: fileName },
  corrupted,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
});
const listOf =
  (all: readonly DocumentRow[], asked: number[] = []) =>
  async ({ page, size }: { page: number; size: number }) => {
    asked.push(page);
    return { items: all.slice(page * size, (page + 1) * size), total: all.length };
  };

test.each(['Umowa nr 1.pdf', 'umowa NR 1.PDF', 'Umowa nr 1 (2).pdf', 'Umowa nr 1'])('%s is called as Umowa nr 1.pdf is', async (name) => {
  expect((await findIn(listOf([document('other', 'Umowa.pdf'), document('this', 'Umowa nr 1.pdf')]), name))?.id).toBe('this');
});

test('accents may be written as letters of their own: Apple’s disks do so', async () => {
  expect((await findIn(listOf([document('this', 'Zaświadczenie.pdf')]), 'Zaświadczenie.pdf'.normalize('NFD')))?.id).toBe('this');
});

test.each(['Umowa.pdf', 'nr 1.pdf', ''])('%s is not', async (name) => {
  expect(await findIn(listOf([document('this', 'Umowa nr 1.pdf')]), name)).toBeUndefined();
});

test('the newest sound one is meant', async () => {
  expect((await findIn(listOf([document('damaged', 'a', true), document('newer', 'a'), document('older', 'a')]), 'a'))?.id).toBe('newer');
});

test('five hundred of the newest are looked through, and no page after the one where it is', async () => {
  const many = Array.from({ length: 700 }, (_, index) => document(String(index), `paper ${index}`));
  const asked: number[] = [];
  expect((await findIn(listOf(many, asked), 'paper 150.pdf'))?.id).toBe('150');
  expect(asked).toEqual([0, 1]);
  expect(await findIn(listOf(many, asked), 'paper 600.pdf')).toBeUndefined();
  expect(asked.slice(2)).toEqual([0, 1, 2, 3, 4]);
});

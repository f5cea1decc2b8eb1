import { expect, test } from 'vitest';
import { beginFirstLook, withFirstLook } from './first-look.ts';
import type { PageSource } from './page-source.ts';

const look = { width: 1_240, page: 1 };
const never = new AbortController().signal;
const urlOf = (page: number): string => `/api/page/${page}`;

const setUp = ({ fails = false } = {}) => {
  const asked: string[] = [];
  const plain: PageSource = {
    poll: async ({ page }) => {
      asked.push(`poll ${page}`);
      if (fails && asked.length === 1) throw new Error('not now');
      return { done: false, progress: 5, sources: [{ page: 1, url: urlOf(1) }] };
    },
    load: async (url) => {
      asked.push(url);
      return new Blob([url]);
    },
  };
  return { asked, plain, source: withFirstLook(plain, beginFirstLook(plain, look, never)) };
};

test('what is under way already is asked for once; later questions are asked anew', async () => {
  const { asked, source } = setUp();
  expect((await source.poll(look, never)).sources).toHaveLength(1);
  expect(await (await source.load(urlOf(1), never)).text()).toBe(urlOf(1));
  expect(asked).toEqual(['poll 1', urlOf(1)]);
  await source.poll(look, never);
  await source.load(urlOf(1), never);
  expect(asked).toEqual(['poll 1', urlOf(1), 'poll 1', urlOf(1)]);
});

test('whoever goes on reading elsewhere is asked for that page', async () => {
  const { asked, source } = setUp();
  await source.poll({ ...look, page: 40 }, never);
  expect(await (await source.load(urlOf(40), never)).text()).toBe(urlOf(40));
  expect(asked).toContain('poll 40');
  expect(asked).toContain(urlOf(40));
});

test('a first question that failed is told to the viewer', async () => {
  const { source } = setUp({ fails: true });
  await expect(source.poll(look, never)).rejects.toThrow('not now');
});

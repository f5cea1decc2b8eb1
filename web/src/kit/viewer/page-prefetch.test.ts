import { expect, test } from 'vitest';
import { prefetched } from './page-prefetch.ts';
import type { PageSource } from './page-source.ts';

const request = { width: 1_240, page: 1 };
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
  return { asked, plain, source: prefetched(plain, request, never) };
};

test('what is under way already is asked for once; later requests are made anew', async () => {
  const { asked, source } = setUp();
  expect((await source.poll(request, never)).sources).toHaveLength(1);
  expect(await (await source.load(urlOf(1), never)).text()).toBe(urlOf(1));
  expect(asked).toEqual(['poll 1', urlOf(1)]);
  await source.poll(request, never);
  await source.load(urlOf(1), never);
  expect(asked).toEqual(['poll 1', urlOf(1), 'poll 1', urlOf(1)]);
});

test('a reader who goes on reading elsewhere gets that page', async () => {
  const { asked, source } = setUp();
  await source.poll({ ...request, page: 40 }, never);
  expect(await (await source.load(urlOf(40), never)).text()).toBe(urlOf(40));
  expect(asked).toContain('poll 40');
  expect(asked).toContain(urlOf(40));
});

test('a first request that failed is told to the viewer', async () => {
  const { source } = setUp({ fails: true });
  await expect(source.poll(request, never)).rejects.toThrow('not now');
});

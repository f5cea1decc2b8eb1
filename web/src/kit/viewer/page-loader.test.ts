import { expect, onTestFinished, test, vi } from 'vitest';
import { watchObjectUrls } from '#platform/object-urls.fixture.ts';
import { createPageImages } from './page-loader.ts';

const urls = new Map([1, 2, 3, 4].map((page) => [page, `/api/page/${page}`]));

/** Images whose bytes arrive when the test says so; `living` holds the blob addresses that were not revoked. */
const setUp = () => {
  const waiting = new Map<string, { readonly arrive: () => void; readonly fail: () => void; readonly signal: AbortSignal }>();
  const asked: string[] = [];
  const living = watchObjectUrls();
  const images = createPageImages((url, signal) => {
    asked.push(url);
    const answer = Promise.withResolvers<Blob>();
    waiting.set(url, { arrive: () => answer.resolve(new Blob(['image'])), fail: () => answer.reject(new Error('failed')), signal });
    return answer.promise;
  });
  onTestFinished(() => {
    images.close();
    vi.restoreAllMocks();
  });
  const isShown = (page: number) => images.pageOf(page).state === 'shown';
  return { images, asked, living, of: (page: number) => waiting.get(`/api/page/${page}`), isShown };
};

test('only the pages around the reader are held; the others are given up and revoked', async () => {
  const { images, living, of, isShown } = setUp();
  images.hold([1, 2], urls);
  of(1)?.arrive();
  of(2)?.arrive();
  await expect.poll(() => isShown(1) && isShown(2)).toBe(true);
  images.hold([2, 3], urls);
  of(3)?.arrive();
  await expect.poll(() => isShown(3)).toBe(true);
  expect(images.pageOf(1).state).toBe('waiting');
  expect(living.size).toBe(2);
});

test('a page that is held already is not fetched again', async () => {
  const { images, asked, of, isShown } = setUp();
  images.hold([1], urls);
  of(1)?.arrive();
  await expect.poll(() => isShown(1)).toBe(true);
  images.hold([1, 2], urls);
  expect(asked).toEqual(['/api/page/1', '/api/page/2']);
});

test('few are asked for at once, nearest first; after a jump the page that is looked at is asked for before all others', async () => {
  const { images, asked, of, isShown } = setUp();
  const many = new Map(Array.from({ length: 40 }, (_, index) => [index + 1, `/api/page/${index + 1}`]));
  images.hold([3, 4, 2, 5, 1, 6, 7], many);
  expect(asked).toEqual([3, 4, 2, 5].map((page) => `/api/page/${page}`));
  of(4)?.arrive();
  await expect.poll(() => isShown(4)).toBe(true);
  expect(asked.at(-1)).toBe('/api/page/1');
  // The strip still shows some of the pages that were near.
  images.hold([30, 31, 29, 3, 2, 5, 1], many);
  expect(asked.slice(5)).toEqual(['/api/page/30']);
  of(3)?.arrive();
  await expect.poll(() => asked.length).toBe(6);
  of(2)?.arrive();
  await expect.poll(() => asked.slice(6)).toEqual(['/api/page/31']);
});

test('fetching a page that is left again is broken off, and its late bytes are dropped', async () => {
  const { images, living, of } = setUp();
  images.hold([1], urls);
  images.hold([2], urls);
  expect(of(1)?.signal.aborted).toBe(true);
  of(1)?.arrive();
  of(2)?.arrive();
  await expect.poll(() => images.pageOf(2).state).toBe('shown');
  expect(images.pageOf(1).state).toBe('waiting');
  expect(living.size).toBe(1);
});

test('a page that could not be loaded can be tried again', async () => {
  const { images, of, isShown, asked } = setUp();
  images.hold([1], urls);
  of(1)?.fail();
  await expect.poll(() => images.pageOf(1).state).toBe('failed');
  images.retry(1);
  expect(images.pageOf(1).state).toBe('waiting');
  of(1)?.arrive();
  await expect.poll(() => isShown(1)).toBe(true);
  expect(asked).toHaveLength(2);
});

test('a page without an address yet is asked for once it has one', () => {
  const { images, asked } = setUp();
  images.hold([1], new Map());
  expect(asked).toEqual([]);
  images.hold([1], urls);
  expect(asked).toEqual(['/api/page/1']);
});

test('closing revokes every image and breaks off the rest', async () => {
  const { images, living, of, isShown } = setUp();
  images.hold([1, 2], urls);
  of(1)?.arrive();
  await expect.poll(() => isShown(1)).toBe(true);
  images.close();
  expect(living.size).toBe(0);
  expect(of(2)?.signal.aborted).toBe(true);
});

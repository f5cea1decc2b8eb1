import { expect, onTestFinished, test, vi } from 'vitest';
import { createPageImages } from './page-images.ts';

const urls = new Map([1, 2, 3, 4].map((page) => [page, `/api/page/${page}`]));

/** Images whose bytes arrive when the test says so; `living` holds the blob addresses that were not revoked. */
const setUp = () => {
  const waiting = new Map<string, { readonly arrive: () => void; readonly fail: () => void; readonly signal: AbortSignal }>();
  const asked: string[] = [];
  const living = new Set<string>();
  const create = URL.createObjectURL.bind(URL);
  const revoke = URL.revokeObjectURL.bind(URL);
  vi.spyOn(URL, 'createObjectURL').mockImplementation((bytes) => {
    const url = create(bytes);
    living.add(url);
    return url;
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => {
    living.delete(url);
    revoke(url);
  });
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
  const isShown = (page: number) => images.imageOf(page).state === 'shown';
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
  expect(images.imageOf(1).state).toBe('waiting');
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

test('fetching a page that is left again is broken off, and its late bytes are dropped', async () => {
  const { images, living, of } = setUp();
  images.hold([1], urls);
  images.hold([2], urls);
  expect(of(1)?.signal.aborted).toBe(true);
  of(1)?.arrive();
  of(2)?.arrive();
  await expect.poll(() => images.imageOf(2).state).toBe('shown');
  expect(images.imageOf(1).state).toBe('waiting');
  expect(living.size).toBe(1);
});

test('a page that could not be loaded can be tried again', async () => {
  const { images, of, isShown, asked } = setUp();
  images.hold([1], urls);
  of(1)?.fail();
  await expect.poll(() => images.imageOf(1).state).toBe('failed');
  images.retry(1);
  expect(images.imageOf(1).state).toBe('waiting');
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

import { type DocumentDetails, viewerLimits } from '@pergamin/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { watchObjectUrls } from '#platform/object-urls.fixture.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { detailsOf, documentId, markPagePath, portalWith, renderPath } from './document.fixture.ts';
import { DocumentWindow } from './DocumentWindow.tsx';

const imageLine = /^GET \/api\/protected\/documents\/render\/page\/[^/]+\/(\d+)\?width=(\d+)$/;

const open = (details: Partial<DocumentDetails> & { readonly pageCount: number }, answers: Answers = {}) => {
  const asked = answerFetch({ ...portalWith(detailsOf(details)), ...answers });
  const { isOpen } = showWindow(() => <DocumentWindow documentId={documentId} />);
  const lines = (): string[] => asked.map(({ line }) => line);
  return {
    isOpen,
    lines,
    polls: () => lines().filter((line) => line.startsWith(renderPath)),
    imagesOf: (width = 1_240) =>
      lines().flatMap((line) => {
        const [, number, wide] = imageLine.exec(line) ?? [];
        return number !== undefined && Number(wide) === width ? [Number(number)] : [];
      }),
    marks: () => lines().filter((line) => line.startsWith('POST')),
  };
};
const surface = () => page.getByRole('region', { name: 'Strony dokumentu – Aneks nr 1' });
const sheet = (number: number, of: number) => page.getByRole('group', { name: `Strona ${number} z ${of}` });
const pictureOf = (number: number, of: number): HTMLImageElement | null => sheet(number, of).query()?.querySelector('img') ?? null;
const isDrawn = (number: number, of: number): boolean => pictureOf(number, of)?.complete ?? false;
/** On a machine with other work a window takes its time. */
const patient = { timeout: 10_000 };
const drawn = async (number: number, of: number): Promise<void> => {
  await expect.poll(() => isDrawn(number, of), patient).toBe(true);
};
const turnTo = async (number: number): Promise<void> => {
  await userEvent.fill(page.getByRole('textbox', { name: 'Numer strony' }), String(number));
  await userEvent.keyboard('{Enter}');
};
const rest = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const rendered = (...pages: readonly number[]) => ({
  done: false,
  progress: 30,
  sources: pages.map((number) => ({ page: number, url: `/api/protected/documents/render/page/${documentId}/${number}?width=1240` })),
});

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('images', () => {
  test('are held around the reader only, however long the document is; after a jump that page comes first', async () => {
    const living = watchObjectUrls();
    const { imagesOf, isOpen } = open({ pageCount: 1_000 });
    await drawn(1, 1_000);
    expect(imagesOf()[0]).toBe(1);
    const before = imagesOf().length;
    expect(before).toBeLessThan(20);
    await turnTo(900);
    await drawn(900, 1_000);
    expect(imagesOf()[before]).toBe(900);
    await expect.poll(() => imagesOf().includes(905)).toBe(true);
    expect(imagesOf().length).toBeLessThan(50);
    expect(living.size).toBeLessThan(20);
    await page.getByRole('region', { name: 'Aneks nr 1' }).getByRole('button', { name: 'Zamknij: Aneks nr 1' }).click();
    await expect.poll(isOpen).toBe(false);
    expect(living.size).toBe(0);
  });

  test('of a document that is gone on with are asked for from that page on', async () => {
    const reached = Array.from({ length: 39 }, (_, index) => index + 1);
    const { polls, imagesOf } = open({ pageCount: 60, pagesReached: reached });
    await drawn(40, 60);
    expect(polls()[0]).toBe(`${renderPath}?width=1240&page=40`);
    expect(imagesOf()[0]).toBe(40);
  });

  test('that are not made yet are asked for at once when the reader goes there', async () => {
    const { polls } = open({ pageCount: 60 }, { [renderPath]: rendered(1, 2, 3) });
    await drawn(1, 60);
    const before = performance.now();
    await turnTo(50);
    await expect.poll(() => polls().at(-1)).toBe(`${renderPath}?width=1240&page=50`);
    expect(performance.now() - before).toBeLessThan(viewerLimits.pollFirstMs + viewerLimits.pollStepMs);
    await expect.element(sheet(50, 60)).toBeVisible();
  });

  test('come into boxes of their pages’ shapes: nothing moves when they arrive', async () => {
    const image = Promise.withResolvers<Response>();
    const sizes = [
      { width: 842, height: 595 },
      { width: 595, height: 842 },
    ];
    const details = { pageCount: 2, pageSizes: sizes };
    open(details, { [`GET /api/protected/documents/render/page/${documentId}/1`]: image.promise });
    await drawn(2, 2);
    const boxes = (): DOMRect[] => [1, 2].map((number) => sheet(number, 2).element().getBoundingClientRect());
    const before = boxes();
    expect(before.map(({ width, height }) => (width / height).toFixed(2))).toEqual(
      sizes.map(({ width, height }) => (width / height).toFixed(2)),
    );
    image.resolve(new Response('', { headers: { 'content-type': 'image/png' } }));
    await rest();
    expect(boxes()).toEqual(before);
  });
});

describe('a page counts as reached', () => {
  test('when its end has come into view, and is told once', async () => {
    const { marks } = open({ pageCount: 3 });
    await drawn(2, 3);
    const element = surface().element();
    const height = element.clientHeight;
    const below = (number: number): number =>
      sheet(number, 3).element().getBoundingClientRect().bottom - element.getBoundingClientRect().bottom;
    await rest();
    expect(marks()).toEqual([]);
    element.scrollTop += below(1);
    await expect.poll(marks, patient).toEqual([markPagePath(1)]);
    element.scrollTop += below(2) - 20;
    await rest();
    expect(marks()).toEqual([markPagePath(1)]);
    element.scrollTop += 20;
    await expect.poll(marks).toEqual([markPagePath(1), markPagePath(2)]);
    for (const move of [-1, 1, -1, 1]) {
      element.scrollTop += move * height;
      await rest();
    }
    expect(marks().filter((line) => line === markPagePath(2))).toHaveLength(1);
    expect(marks().filter((line) => line === markPagePath(1))).toHaveLength(1);
  });

  test('not by a jump to it: only what the view then shows to its end counts', async () => {
    const { marks } = open({ pageCount: 9 });
    await drawn(1, 9);
    await turnTo(7);
    await drawn(7, 9);
    await rest();
    expect(marks()).toEqual([]);
  });

  test('only with its image: what could not be loaded has not been read, until it was loaded after all', async () => {
    const path = `GET /api/protected/documents/render/page/${documentId}/1`;
    const answers: Record<string, unknown> = { [path]: refusal(503, 'STORAGE_ERROR') };
    const { marks } = open({ pageCount: 1 }, answers);
    await expect.element(page.getByText('Nie udało się wczytać strony 1'), patient).toBeVisible();
    expect(marks()).toEqual([]);
    await expect.element(page.getByRole('button', { name: 'Gotowe', exact: true })).toHaveAttribute('aria-disabled', 'true');
  });

  test('but the document cannot be finished while pages are still being made', async () => {
    const { marks } = open({ pageCount: 1 }, { [renderPath]: rendered(1) });
    await expect.poll(marks, patient).toEqual([markPagePath(1)]);
    const done = page.getByRole('button', { name: 'Gotowe', exact: true });
    await expect.element(done).toHaveAttribute('aria-disabled', 'true');
    await expect.element(done).toHaveAccessibleDescription('Strony są jeszcze przygotowywane');
  });
});

describe('two fingers', () => {
  const touch = (type: string, spread: number): void => {
    const target = surface().element();
    const [middleX, middleY] = [640, 400];
    const touches =
      type === 'touchend'
        ? []
        : [-1, 1].map((side, identifier) => new Touch({ identifier, target, clientX: middleX + (side * spread) / 2, clientY: middleY }));
    target.dispatchEvent(new TouchEvent(type, { touches, changedTouches: touches, bubbles: true, cancelable: true }));
  };

  test('enlarge the picture that is there at once; a sharper one takes its place when it has come', async () => {
    const sharp = {
      done: true,
      progress: 100,
      sources: [{ page: 1, url: `/api/protected/documents/render/page/${documentId}/1?width=1860` }],
    };
    const { polls, imagesOf } = open({ pageCount: 1 }, { [`${renderPath}?width=1860&page=1`]: sharp });
    await drawn(1, 1);
    const first = pictureOf(1, 1)?.src;
    const width = (): number => sheet(1, 1).element().getBoundingClientRect().width;
    const before = width();
    touch('touchstart', 100);
    touch('touchmove', 150);
    await expect.poll(width).toBeGreaterThan(before * 1.2);
    touch('touchmove', 260);
    touch('touchend', 0);
    await expect.poll(() => polls().at(-1)).toBe(`${renderPath}?width=1860&page=1`);
    await expect.poll(() => imagesOf(1_860)).toEqual([1]);
    await expect.poll(() => pictureOf(1, 1)?.src).not.toBe(first);
    await expect.poll(width).toBeGreaterThan(before * 2);
  });
});

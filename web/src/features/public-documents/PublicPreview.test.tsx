import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { aPdf, pdfAnswer } from '#kit/pdf/pdf.fixture.ts';
import { show } from '#kit/render.fixture.tsx';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { PublicPreview } from './PublicPreview.tsx';

const id = '7c1b7a32-0000-4000-8000-000000000001';
const dataPath = `GET /api/open/documents/details/${id}`;
const filePath = `GET /api/open/documents/download/${id}`;
const details = { id, state: 'ACTIVE', metadata: { FILE_NAME: 'Taryfa opłat.pdf' }, pageCount: 3, pageSizes: [], pagesReached: [] };

const sheets = () => page.getByRole('region', { name: 'Strony dokumentu' });
const sheet = (number: number, of: number) => page.getByRole('group', { name: `Strona ${number} z ${of}` });
const canvasOf = (number: number, of: number): HTMLCanvasElement | null => sheet(number, of).element().querySelector('canvas');

/** A worker has to start, on a machine with other work. */
const patient = { timeout: 15_000 };

const open = (answers: Answers = {}, pages = 3) => {
  const asked = answerFetch({ [dataPath]: details, [filePath]: pdfAnswer(aPdf(pages)), ...answers });
  const closed: string[] = [];
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  const host = show(
    <QueryClientProvider client={queries}>
      <PublicPreview id={id} title="Taryfa" onClose={() => closed.push(id)} />
    </QueryClientProvider>,
  );
  host.style.cssText = 'position: fixed; inset: 0; display: flex; flex-direction: column';
  return { closed, lines: () => asked.map(({ line }) => line) };
};

beforeEach(async () => {
  await page.viewport(800, 700);
  await freshTab('PL');
});

describe('a public document', () => {
  test('is drawn as wide as there is room, each page in its own shape, and anew when the room changes', async () => {
    open();
    await expect.poll(() => canvasOf(1, 3)?.width, patient).toBeGreaterThan(700);
    const box = (number: number): DOMRect => sheet(number, 3).element().getBoundingClientRect();
    await expect.poll(() => Math.round(box(2).height)).toBe(Math.round((box(2).width * 595) / 842));
    expect(Math.round(box(1).height)).toBe(Math.round((box(1).width * 842) / 595));
    expect(box(1).width).toBeLessThanOrEqual(sheets().element().clientWidth);
    await page.viewport(500, 700);
    await expect.poll(() => canvasOf(1, 3)?.width, patient).toBeLessThan(500);
    expect(box(1).width).toBeLessThanOrEqual(500);
  });

  test('that was replaced says so, and its new version takes its place', async () => {
    const nextId = '7c1b7a32-0000-4000-8000-000000000002';
    open({
      [dataPath]: { ...details, state: 'OBSOLETE', successor: nextId },
      [`GET /api/open/documents/details/${nextId}`]: { ...details, id: nextId, metadata: { FILE_NAME: 'Taryfa opłat 2027.pdf' } },
      [`GET /api/open/documents/download/${nextId}`]: pdfAnswer(aPdf(2)),
    });
    await expect.element(page.getByText('Ten dokument jest już nieaktualny')).toBeVisible();
    await page.getByRole('button', { name: 'Otwórz nową wersję' }).click();
    const title = page.getByRole('heading', { name: 'Taryfa opłat 2027' });
    await expect.element(title).toBeVisible();
    expect(document.activeElement).toBe(title.element());
    await expect.element(sheet(1, 2), patient).toBeInTheDocument();
    expect(page.getByText('Ten dokument jest już nieaktualny').query()).toBeNull();
  });

  test('says what stands on its pages, in its own language, where it stands', async () => {
    open();
    const line = sheet(1, 3).getByText('Line of page 1');
    await expect.element(line, patient).toBeInTheDocument();
    expect(line.element().closest('[lang]')?.getAttribute('lang')).toBe('pl-PL');
    const paper = sheet(1, 3).element().getBoundingClientRect();
    const place = line.element().getBoundingClientRect();
    expect((place.left - paper.left) / paper.width).toBeCloseTo(60 / 595, 1);
    expect((place.top - paper.top) / paper.height).toBeCloseTo((842 - 722) / 842, 1);
  });

  test('of many pages has canvases around the reader only', async () => {
    open({}, 60);
    await expect.poll(() => canvasOf(1, 60), patient).not.toBeNull();
    expect(document.querySelectorAll('canvas').length).toBeLessThan(6);
    sheets()
      .element()
      .scrollTo({ top: 40 * 1_000 });
    await expect.poll(() => canvasOf(1, 60), patient).toBeNull();
    await expect.poll(() => document.querySelectorAll('canvas').length, patient).toBeGreaterThan(0);
    expect(document.querySelectorAll('canvas').length).toBeLessThan(8);
  });

  test('can be closed before it is there', async () => {
    const { closed } = open({ [filePath]: new Promise(() => undefined) });
    await page.getByRole('button', { name: 'Zamknij' }).click();
    expect(closed).toEqual([id]);
  });

  test('is saved under its name from the bytes that are shown, and nothing is marked', async () => {
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      names.push(this.download);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { lines } = open();
    await expect.poll(() => canvasOf(1, 3), patient).not.toBeNull();
    await page.getByRole('button', { name: 'Pobierz' }).click();
    expect(names).toEqual(['Taryfa opłat.pdf']);
    expect(lines().toSorted()).toEqual([dataPath, filePath].toSorted());
  });
});

describe('a public document that is not shown', () => {
  for (const [status, code, sentence] of [
    [403, 'ACCESS_DENIED', 'Brak dostępu do tego dokumentu (błąd 403)'],
    [404, 'DOCUMENT_NOT_FOUND_ERROR', 'Nie znaleziono dokumentu'],
    [500, 'INTERNAL_SERVER_ERROR', 'Nie udało się wyświetlić dokumentu'],
  ] as const)
    test(`${status}: the reason is said in its place`, async () => {
      const { closed } = open({ [filePath]: refusal(status, code) });
      await expect.element(page.getByRole('alert').getByText(sentence)).toBeVisible();
      await page.getByRole('button', { name: 'Zamknij' }).click();
      expect(closed).toEqual([id]);
    });

  test('a file that is no PDF says that it cannot be displayed, and can still be saved', async () => {
    open({ [filePath]: pdfAnswer(Uint8Array.from([1, 2, 3])) });
    await expect.element(page.getByRole('alert').getByText('Nie udało się wyświetlić dokumentu'), patient).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Pobierz' })).not.toHaveAttribute('aria-disabled');
    await expect.element(page.getByRole('button', { name: 'Spróbuj ponownie' })).toBeVisible();
  });

  test('what failed on the way can be asked for again', async () => {
    const { lines } = open({ [filePath]: refusal(503, 'STORAGE_ERROR') });
    await page.getByRole('button', { name: 'Spróbuj ponownie' }).click();
    await expect.poll(() => lines().filter((line) => line === filePath)).toHaveLength(2);
  });
});

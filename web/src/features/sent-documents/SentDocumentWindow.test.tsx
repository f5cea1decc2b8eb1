import type { SentDocumentDetails } from '@pergamin/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { textOf } from '#kit/viewer/page-text.fixture.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { SentDocumentWindow } from './SentDocumentWindow.tsx';

const documentId = '6f1b7a32-0000-4000-8000-000000000002';
const detailsPath = `GET /api/protected/documents/client/details/${documentId}`;
const renderPath = `GET /api/protected/documents/client/render/queue/result/${documentId}`;
const imagePath = (number: number): string => `/api/protected/documents/client/render/page/${documentId}/${number}`;
const textPath = (number: number): string => `GET /api/protected/documents/client/render/text/${documentId}/${number}`;

const named = (pl: string) => ({ pl, en: `${pl} (EN)` });
const details: SentDocumentDetails = {
  id: documentId,
  filename: 'Zaświadczenie.pdf',
  category: { id: 'LOANS', name: named('Kredyty') },
  type: { id: 'INCOME', name: named('Zaświadczenie') },
  createdOn: Date.UTC(2026, 10, 19, 9, 22, 41),
  retentionDate: '2036-11-17',
  status: 'SENT',
  receivedOn: null,
  sha256: 'ab'.repeat(32),
  size: 20_481,
  pageCount: 2,
  pageSizes: [{ width: 595, height: 842 }],
};

const picture = (): Response => {
  const letters = atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=');
  return new Response(
    Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
    { headers: { 'content-type': 'image/png' } },
  );
};

const open = (answers: Answers = {}) => {
  const asked = answerFetch({
    [detailsPath]: details,
    [renderPath]: {
      done: true,
      progress: 100,
      sources: [1, 2].map((number) => ({ page: number, url: `${imagePath(number)}?width=1240` })),
    },
    [`GET ${imagePath(1)}`]: picture(),
    [`GET ${imagePath(2)}`]: picture(),
    [textPath(1)]: textOf('Zaświadczenie o dochodach', 'Pracodawca potwierdza'),
    [textPath(2)]: { language: null, lines: [] },
    ...answers,
  });
  showWindow(() => <SentDocumentWindow documentId={documentId} />);
  return {
    lines: () => asked.map(({ line }) => line),
    countOf: (start: string): number => asked.filter(({ line }) => line.startsWith(start)).length,
  };
};
const sheet = (number: number) => page.getByRole('group', { name: `Strona ${number} z 2` });

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('the words of a document that was sent', () => {
  test('lie over its pages in their order and language, and are copied line by line; nothing is marked', async () => {
    const { lines } = open();
    const line = sheet(1).getByText('Zaświadczenie o dochodach');
    await expect.element(line).toBeInTheDocument();
    const [paper, box] = [sheet(1).element().getBoundingClientRect(), line.element().getBoundingClientRect()];
    expect(box.width).toBeCloseTo((25 * 6 * paper.width) / 595, -1);
    expect(line.element().closest('[lang]')?.getAttribute('lang')).toBe('pl-PL');
    getSelection()?.selectAllChildren(sheet(1).element());
    expect(getSelection()?.toString().trim().split('\n')).toEqual(['Zaświadczenie o dochodach', 'Pracodawca potwierdza']);
    expect(lines().filter((asked) => asked.startsWith('POST'))).toEqual([]);
  });

  test('are found with Ctrl+F, whatever their case and accents', async () => {
    open();
    await expect.element(sheet(1).getByText('Pracodawca potwierdza')).toBeInTheDocument();
    page.getByRole('region', { name: 'Strony dokumentu – Zaświadczenie.pdf' }).element().focus();
    await userEvent.keyboard('{Control>}f{/Control}');
    await userEvent.keyboard('ZASWIADCZENIE');
    await expect.element(page.getByText('1 z 1', { exact: true })).toBeVisible();
    await expect.poll(() => sheet(1).element().querySelectorAll('i').length).toBe(1);
  });

  test('are read as text, in letters of any size; a page without words says so and leads to its picture', async () => {
    open();
    await page.getByRole('button', { name: 'Czytaj jako tekst' }).click();
    await expect.element(page.getByRole('heading', { name: 'Strona 1 z 2' })).toBeVisible();
    // Lines of one paragraph flow.
    const paragraph = page.getByText('Zaświadczenie o dochodach Pracodawca potwierdza');
    await expect.element(paragraph).toBeVisible();
    const size = (): number => Number.parseFloat(getComputedStyle(paragraph.element()).fontSize);
    const before = size();
    await page.getByRole('button', { name: 'Większe litery' }).click();
    expect(size()).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Pokaż stronę 2' }).click();
    await expect.element(page.getByRole('textbox', { name: 'Numer strony' })).toHaveValue('2');
    await expect.element(page.getByRole('img', { name: 'Strona 2 z 2' })).toBeVisible();
  });

  test('that cannot be read leave the picture of the page to be seen', async () => {
    open({ [textPath(1)]: refusal(500, 'RENDER_ERROR') });
    await expect.element(page.getByRole('img', { name: 'Strona 1 z 2' })).toBeVisible();
    await page.getByRole('button', { name: 'Czytaj jako tekst' }).click();
    await expect.element(page.getByRole('button', { name: 'Pokaż stronę 1' })).toBeVisible();
  });
});

describe('opening', () => {
  test('asks for the first page while it asks what the document is, and for nothing twice', async () => {
    const told = Promise.withResolvers<Response>();
    const { countOf } = open({ [detailsPath]: told.promise });
    await expect.poll(() => countOf(`GET ${imagePath(1)}`)).toBe(1);
    told.resolve(Response.json(details));
    await expect.element(page.getByRole('img', { name: 'Strona 1 z 2' })).toBeVisible();
    expect([countOf(detailsPath), countOf(renderPath), countOf(`GET ${imagePath(1)}`)]).toEqual([1, 1, 1]);
  });

  test('a document that is not there says so', async () => {
    open({ [detailsPath]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR'), [renderPath]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR') });
    await expect.element(page.getByText('Nie znaleziono dokumentu')).toBeVisible();
  });
});

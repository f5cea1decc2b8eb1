import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { type Answers, answerFetch, freshTab } from '#platform/page.fixture.tsx';
import {
  detailsOf,
  documentId,
  imageAnswer,
  imagePath,
  markPagePath,
  markReadPath,
  portalWith,
  renderPath,
  withPanels,
} from './document.fixture.ts';
import { DocumentWindow } from './DocumentWindow.tsx';

/** A document of three pages, the second of which cannot be shown. */

const urlOf = (number: number): string => `${imagePath(number)}?width=1240`;
const size = { width: 595, height: 842 };
const details = detailsOf({ pageCount: 3, pageSizes: [size, { width: 0, height: 0 }, size] });
const textPath = (number: number): string => `GET /api/protected/documents/render/text/${documentId}/${number}`;

const open = (failed: { readonly page: number; readonly url?: string }, answers: Answers = {}) => {
  const rendered = { done: true, progress: 100, sources: [1, 3].map((number) => ({ page: number, url: urlOf(number) })), failed: [failed] };
  const asked = answerFetch({
    ...portalWith(details),
    [renderPath]: rendered,
    [`${markPagePath(2)}?shown=false`]: new Response(null, { status: 204 }),
    ...answers,
  });
  const { isOpen } = showWindow(() => <DocumentWindow documentId={documentId} />);
  return { isOpen, marks: () => asked.map(({ line }) => line).filter((line) => line.startsWith('POST')) };
};

const surface = () => page.getByRole('region', { name: 'Strony dokumentu – Aneks nr 1' });
const sheet = (number: number) => page.getByRole('listitem').filter({ has: page.getByRole('group', { name: `Strona ${number} z 3` }) });
const isDrawn = (number: number): boolean => sheet(number).query()?.querySelector('img')?.complete ?? false;
const retry = () => sheet(2).getByRole('button', { name: 'Spróbuj ponownie' });
const patient = { timeout: 10_000 };
const scrollToEndOf = (number: number): void => {
  const [box, view] = [sheet(number), surface()].map((part) => part.element().getBoundingClientRect());
  surface().element().scrollTop += (box?.bottom ?? 0) - (view?.bottom ?? 0);
};
/** Down to the end, each page to its end. */
const readAll = async (): Promise<void> => {
  await expect.poll(() => isDrawn(1), patient).toBe(true);
  for (const number of [1, 2, 3]) {
    if (number !== 2) await expect.poll(() => isDrawn(number), patient).toBe(true);
    scrollToEndOf(number);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
};

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

test('a page that cannot be shown says so in its place, and the reading can be finished and is recorded with it', async () => {
  const { marks, isOpen } = open({ page: 2 });
  await expect.element(sheet(2).getByText('Nie można wyświetlić strony 2'), patient).toBeVisible();
  await expect.element(retry()).not.toBeInTheDocument();
  await expect.element(sheet(2).getByRole('button', { name: 'Pokaż sam plik' })).toBeVisible();
  await readAll();
  await expect.element(page.getByText('Nie udało się wyświetlić strony 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Zamknij', exact: true }).click();
  await expect.poll(isOpen).toBe(false);
  expect(marks()).toEqual([markPagePath(1), `${markPagePath(2)}?shown=false`, markPagePath(3), markReadPath]);
});

test('a page without size takes the place of an ordinary one, so that page numbers lead where they say', async () => {
  open({ page: 2 });
  await expect.element(sheet(2), patient).toBeVisible();
  const [first, second] = [1, 2].map((number) => sheet(number).element().getBoundingClientRect());
  expect(second?.height).toBeCloseTo(first?.height ?? 0);
  await userEvent.fill(page.getByRole('textbox', { name: 'Numer strony' }), '3');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => isDrawn(3), patient).toBe(true);
  await expect.element(sheet(3)).toBeInViewport();
});

test('a page that took too long is shown when it is asked for again: it counts as shown, and the focus stays with the pages', async () => {
  const image = Promise.withResolvers<Response>();
  const { marks } = open({ page: 2, url: urlOf(2) }, { [`GET ${imagePath(2)}`]: image.promise });
  await readAll();
  await userEvent.click(surface());
  await userEvent.fill(page.getByRole('textbox', { name: 'Numer strony' }), '2');
  await userEvent.keyboard('{Enter}');
  await expect.poll(marks, patient).toContain(`${markPagePath(2)}?shown=false`);
  await retry().click();
  await expect.element(retry()).toHaveAttribute('aria-busy', 'true');
  image.resolve(imageAnswer());
  await expect.poll(() => isDrawn(2), patient).toBe(true);
  await expect.element(surface()).toHaveFocus();
  scrollToEndOf(2);
  await expect.poll(marks, patient).toContain(markPagePath(2));
  await expect.element(page.getByText('Nie udało się wyświetlić strony 2.')).not.toBeInTheDocument();
});

test('a page that took too long again can be asked for once more', async () => {
  let asked = 0;
  const answer = (): Response => ((asked += 1) === 1 ? new Response(null, { status: 404 }) : imageAnswer());
  open({ page: 2, url: urlOf(2) }, { [`GET ${imagePath(2)}`]: answer });
  await retry().click(patient);
  await expect.poll(() => asked).toBe(1);
  await expect.element(retry()).not.toHaveAttribute('aria-busy');
  await retry().click();
  await expect.poll(() => isDrawn(2), patient).toBe(true);
});

test('a page that cannot be shown is told among the thumbnails, in the text and on paper', async () => {
  withPanels();
  const lines = {
    language: 'pl',
    lines: [{ x: 10, y: 10, height: 12, angle: 0, runs: [{ at: 0, text: 'Umowa', ends: [6, 12, 18, 24, 30] }] }],
  };
  const words = { [textPath(1)]: lines, [textPath(2)]: { language: null, lines: [] }, [textPath(3)]: lines };
  const { marks } = open({ page: 2 }, words);
  await expect.element(page.getByRole('button', { name: 'Strona 2 z 3, nie można wyświetlić' }), patient).toBeVisible();
  const printed: (string | null)[] = [];
  vi.spyOn(window, 'print').mockImplementation(() => {
    for (const part of document.body.querySelectorAll(':scope > div > :is(img, p)')) printed.push(part.textContent);
    dispatchEvent(new Event('afterprint'));
  });
  await page.getByRole('button', { name: 'Drukuj' }).click();
  await expect.poll(() => printed, patient).toEqual(['', 'Nie można wyświetlić strony 2', '']);
  await page.getByRole('button', { name: 'Czytaj jako tekst' }).click();
  await expect.element(surface().getByText('Nie można wyświetlić strony 2')).toBeVisible();
  await expect.poll(marks, patient).toContain(`${markPagePath(2)}?shown=false`);
});

test('the only page of a document that took too long can be asked for again, and the document is not read before it was shown', async () => {
  const url = `${imagePath(1)}?width=1240`;
  const asked = answerFetch({
    ...portalWith(detailsOf({ pageCount: 1 })),
    [renderPath]: { done: true, progress: 100, sources: [], failed: [{ page: 1, url }] },
    [`${markPagePath(1)}?shown=false`]: new Response(null, { status: 204 }),
  });
  const marks = () => asked.map(({ line }) => line).filter((line) => line.startsWith('POST'));
  const { isOpen } = showWindow(() => <DocumentWindow documentId={documentId} />);
  await expect.element(page.getByText('Nie można wyświetlić strony 1'), patient).toBeVisible();
  await expect.poll(marks, patient).toContain(`${markPagePath(1)}?shown=false`);
  await page.getByRole('button', { name: 'Zamknij', exact: true }).click();
  await expect.poll(isOpen).toBe(false);
  expect(marks()).not.toContain(markReadPath);

  showWindow(() => <DocumentWindow documentId={documentId} />);
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click(patient);
  await expect.poll(marks, patient).toContain(markPagePath(1));
  await page.getByRole('button', { name: 'Zamknij', exact: true }).click();
  await expect.poll(marks, patient).toContain(markReadPath);
});

import type { PageText } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { textOf } from '#kit/viewer/page-text.fixture.ts';
import { answerFetch, freshTab } from '#platform/page.fixture.tsx';
import { detailsOf, documentId, markPagePath, portalWith, withPanels } from './document.fixture.ts';
import { DocumentWindow } from './DocumentWindow.tsx';

const texts = [
  textOf('Spłata raty kredytu', 'Każda rata jest równa'),
  { language: null, lines: [] },
  textOf('Ostatnia RATA', 'Ko\u{AD}', 'niec'),
];

const open = (props: { readonly startPage?: number; readonly wordsSearched?: string } = {}, said: readonly PageText[] = texts) => {
  const answers = Object.fromEntries(
    said.map((text, index) => [`GET /api/protected/documents/render/text/${documentId}/${index + 1}`, text]),
  );
  const asked = answerFetch({ ...portalWith(detailsOf({ pageCount: 3 })), ...answers });
  showWindow(() => <DocumentWindow documentId={documentId} {...props} />);
  return { lines: () => asked.map(({ line }) => line) };
};
const surface = () => page.getByRole('region', { name: 'Strony dokumentu – Aneks nr 1' });
const sheet = (number: number) => page.getByRole('group', { name: `Strona ${number} z 3` });
const field = () => page.getByRole('textbox', { name: 'Szukaj w dokumencie' });
const pageNumber = () => page.getByRole('textbox', { name: 'Numer strony' });
const scrollTop = (): number => surface().element().scrollTop;

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('the words of a page', () => {
  test('lie over the picture as wide as they are there, in their language, and are copied line by line', async () => {
    open();
    const line = sheet(1).getByText('Spłata raty kredytu');
    await expect.element(line).toBeInTheDocument();
    const paper = sheet(1).element().getBoundingClientRect();
    const box = line.element().getBoundingClientRect();
    const point = paper.width / 595;
    expect(box.width).toBeCloseTo(19 * 6 * point, -1);
    expect(box.left - paper.left).toBeCloseTo(60 * point, 0);
    expect(line.element().closest('[lang]')?.getAttribute('lang')).toBe('pl-PL');
    getSelection()?.selectAllChildren(sheet(1).element());
    expect(getSelection()?.toString().trim().split('\n')).toEqual(['Spłata raty kredytu', 'Każda rata jest równa']);
  });

  test('are enlarged with the picture', async () => {
    open();
    const line = sheet(1).getByText('Spłata raty kredytu');
    await expect.element(line).toBeInTheDocument();
    const share = (): number => line.element().getBoundingClientRect().width / sheet(1).element().getBoundingClientRect().width;
    const before = share();
    await page.getByRole('button', { name: 'Powiększ' }).click();
    await page.getByRole('button', { name: 'Powiększ' }).click();
    expect(share()).toBeCloseTo(before, 2);
  });
});

test('what a picture shows is read where it stands, and words in another language are read in theirs', async () => {
  const [first = textOf()] = texts;
  const [polish, english] = first.lines;
  if (polish === undefined || english === undefined) throw new Error('there are two lines');
  const figure = { before: 1, text: 'Wykres spłat', x: 100, y: 200, width: 119, height: 50 };
  open({}, [{ ...first, lines: [polish, { ...english, language: 'en-GB' }], figures: [figure] }, ...texts.slice(1)]);
  const picture = sheet(1).getByRole('img', { name: 'Wykres spłat' });
  await expect.element(picture).toBeInTheDocument();
  const [box, paper] = [picture.element().getBoundingClientRect(), sheet(1).element().getBoundingClientRect()];
  expect(box.width / paper.width).toBeCloseTo(119 / 595, 2);
  const line = sheet(1).getByText('Każda rata jest równa').element();
  expect(line.closest('[lang]')?.getAttribute('lang')).toBe('en-GB');
  expect(picture.element().compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  await page.getByRole('button', { name: 'Czytaj jako tekst' }).click();
  await expect.element(page.getByText('Wykres spłat')).toBeVisible();
  await expect.element(page.getByText('Ilustracja')).toBeVisible();
  expect(page.getByText('Każda rata jest równa').element().getAttribute('lang')).toBe('en-GB');
});

describe('finding', () => {
  const findKey = () => userEvent.keyboard('{Control>}f{/Control}');

  test('Ctrl+F finds words whatever their case and accents; Enter goes on, over the pages and around', async () => {
    open();
    await expect.element(sheet(1)).toBeVisible();
    surface().element().focus();
    await findKey();
    await expect.element(field()).toHaveFocus();
    await userEvent.keyboard('ratą');
    await expect.element(page.getByText('1 z 2', { exact: true })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('2 z 2', { exact: true })).toBeVisible();
    await expect.poll(scrollTop).toBeGreaterThan(1_000);
    await expect.element(page.getByText('Wynik 2 z 2, strona 3')).toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('1 z 2', { exact: true })).toBeVisible();
    await expect.poll(scrollTop).toBeLessThan(1_000);
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
    await expect.element(page.getByText('2 z 2', { exact: true })).toBeVisible();
  });

  test('Escape closes the bar, takes the marks away and gives the focus back', async () => {
    open();
    await expect.element(sheet(1).getByText('Spłata raty kredytu')).toBeInTheDocument();
    surface().element().focus();
    await findKey();
    await userEvent.keyboard('rat');
    await expect.poll(() => sheet(1).element().querySelectorAll('i').length).toBe(2);
    await userEvent.keyboard('{Escape}');
    await expect.element(field()).not.toBeInTheDocument();
    await expect.element(surface()).toHaveFocus();
    expect(sheet(1).element().querySelectorAll('i')).toHaveLength(0);
    await expect.element(page.getByRole('heading', { name: 'Aneks nr 1', exact: true })).toBeVisible();
  });

  test('says when there is nothing, and a word that a line’s end breaks is found', async () => {
    open();
    await expect.element(sheet(1)).toBeVisible();
    await page.getByRole('button', { name: 'Szukaj w dokumencie' }).click();
    await userEvent.fill(field(), 'hipoteka');
    await expect.element(page.getByRole('search').getByText('Nic nie znaleziono').first()).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Następny wynik' })).toHaveAttribute('aria-disabled', 'true');
    await userEvent.fill(field(), 'koniec');
    await expect.element(page.getByText('1 z 1', { exact: true })).toBeVisible();
  });

  test('a document opened from a search shows the page and its words at once, also when they stand apart', async () => {
    open({ startPage: 3, wordsSearched: 'koniec ostatnia' });
    await expect.element(field()).toHaveValue('koniec ostatnia');
    await expect.element(page.getByText('1 z 2', { exact: true })).toBeVisible();
    await expect.element(pageNumber()).toHaveValue('3');
    await expect.poll(() => sheet(3).element().querySelectorAll('i[data-current]').length).toBe(1);
  });
});

describe('reading as text', () => {
  const asText = () => page.getByRole('button', { name: 'Czytaj jako tekst' });

  test('shows flowing text that can be enlarged, and counts as reading', async () => {
    const { lines } = open();
    await expect.element(sheet(1)).toBeVisible();
    await asText().click();
    const paragraph = page.getByText('Spłata raty kredytu Każda rata jest równa');
    await expect.element(paragraph).toBeVisible();
    const before = Number.parseFloat(getComputedStyle(paragraph.element()).fontSize);
    await page.getByRole('button', { name: 'Większe litery' }).click();
    expect(Number.parseFloat(getComputedStyle(paragraph.element()).fontSize)).toBeGreaterThan(before);
    await expect.poll(() => lines().includes(markPagePath(3))).toBe(true);
    // A picture has not been read as text.
    expect(lines()).not.toContain(markPagePath(2));
  });

  test('a page without text says so and leads to its picture', async () => {
    open();
    await expect.element(sheet(1)).toBeVisible();
    await asText().click();
    await page.getByRole('button', { name: 'Pokaż stronę 2' }).click();
    await expect.element(sheet(2)).toBeVisible();
    await expect.element(pageNumber()).toHaveValue('2');
  });
});

test('arrows lead from thumbnail to thumbnail, which are one stop for the tab key', async () => {
  withPanels();
  open();
  const thumbnail = (number: number) =>
    page.getByRole('navigation', { name: 'Miniatury – Aneks nr 1' }).getByRole('button', { name: new RegExp(`^Strona ${number} z 3`) });
  await expect.element(thumbnail(1)).toHaveAttribute('aria-current', 'page');
  thumbnail(1).element().focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(thumbnail(3)).toHaveFocus();
  expect([1, 2, 3].map((number) => thumbnail(number).element().getAttribute('tabindex'))).toEqual(['-1', '-1', '0']);
  await userEvent.keyboard('{Enter}');
  await expect.element(pageNumber()).toHaveValue('3');
});

test('opening the find field and typing into it moves nothing beside it', async () => {
  open();
  await expect.element(sheet(1).getByText('Spłata raty kredytu')).toBeInTheDocument();
  const placeOf = (part: { element: () => Element }) => part.element().getBoundingClientRect().toJSON();
  const places = () => [surface(), sheet(1), page.getByText('Przeczytano 0 z 3 stron')].map(placeOf);
  const before = places();
  await page.getByRole('button', { name: 'Szukaj w dokumencie' }).click();
  await expect.element(field()).toHaveFocus();
  expect(places()).toEqual(before);
  const bar = page.getByRole('search');
  const empty = placeOf(bar);
  await userEvent.fill(field(), 'nie ma tego');
  await expect.element(bar.getByText('Nic nie znaleziono').first()).toBeVisible();
  expect([placeOf(bar), ...places()]).toEqual([empty, ...before]);
});

test('Ctrl and the wheel enlarge what is under the pointer, and go no further than four times', async () => {
  open();
  await expect.element(sheet(1)).toBeVisible();
  const element = surface().element();
  const width = (): number => sheet(1).element().getBoundingClientRect().width;
  const before = width();
  const turn = (deltaY: number): void => {
    element.dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey: true, clientX: 600, clientY: 400, bubbles: true, cancelable: true }));
  };
  turn(-60);
  await expect.poll(width).toBeGreaterThan(before * 1.1);
  for (let count = 0; count < 40; count += 1) turn(-60);
  await expect.poll(() => Math.round(width())).toBe(Math.round(595 * (96 / 72) * 4));
});

test('printing hands the pages to the browser and leaves nothing behind; no page is marked by it', async () => {
  const { lines } = open();
  await expect.element(sheet(1)).toBeVisible();
  const printed: number[] = [];
  vi.spyOn(window, 'print').mockImplementation(() => {
    printed.push(document.body.querySelectorAll(':scope > div > img').length);
    dispatchEvent(new Event('afterprint'));
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await page.getByRole('button', { name: 'Drukuj' }).click();
  await expect.poll(() => printed).toEqual([3]);
  await expect.poll(() => document.body.querySelectorAll(':scope > div > img').length).toBe(0);
  expect(lines().filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('of a document of thousands of pages, those around the reader exist, and the last one is a key away', async () => {
  withPanels();
  answerFetch(portalWith(detailsOf({ pageCount: 4_000 })));
  showWindow(() => <DocumentWindow documentId={documentId} />);
  await expect.element(page.getByRole('group', { name: 'Strona 1 z 4000' })).toBeVisible();
  expect(surface().element().querySelectorAll('li').length).toBeLessThan(20);
  await userEvent.fill(pageNumber(), '3999');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('group', { name: 'Strona 3999 z 4000' })).toBeVisible();
  await expect
    .element(page.getByRole('navigation', { name: 'Miniatury – Aneks nr 1' }).getByRole('button', { name: /^Strona 3999 z 4000/ }))
    .toBeVisible();
  expect(document.querySelectorAll('[data-thumbnail]').length).toBeLessThan(40);
});

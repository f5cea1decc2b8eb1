import { type DocumentDetails, listOwnDocuments } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { watchObjectUrls } from '#platform/object-urls.fixture.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import {
  checkPath,
  checkThatOpens,
  dataPath,
  detailsOf,
  documentId,
  downloadPath,
  historyPath,
  imageAnswer,
  imagePath,
  markPagePath,
  portalWith,
  renderPath,
  withPanels,
} from './document.fixture.ts';
import { DocumentWindow } from './DocumentWindow.tsx';

/** The verification brings the document and a page of it along: nothing else is waited for. */

interface Opened {
  readonly details: Partial<DocumentDetails> & { readonly pageCount: number };
  /** `null`: none was drawn. */
  readonly brought?: number | null;
  readonly answers?: Answers;
  readonly startPage?: number;
}

const open = ({ details, brought = 1, answers = {}, startPage }: Opened) => {
  const document = detailsOf(details);
  const asked = answerFetch({ ...portalWith(document), [checkPath]: checkThatOpens(document, brought), ...answers });
  const { isOpen } = showWindow(() => <DocumentWindow documentId={documentId} startPage={startPage} />);
  const lines = (): string[] => asked.map(({ line }) => line);
  return {
    isOpen,
    lines,
    countOf: (start: string): number => lines().filter((line) => line.startsWith(start)).length,
    marks: () => lines().filter((line) => line.startsWith('POST')),
  };
};
const sheet = (number: number, of: number) => page.getByRole('group', { name: `Strona ${number} z ${of}` });
const picture = (number: number, of: number) => page.getByRole('img', { name: `Strona ${number} z ${of}` });

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('a page that came with the verification', () => {
  test('is shown before anything else is asked for', async () => {
    withPanels();
    // What was asked for up to the moment that the browser makes a picture of the bytes.
    let before: string[] | undefined;
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(async () => void (before ??= lines()));
    onTestFinished(() => decode.mockRestore());
    const { lines, countOf, marks } = open({ details: { pageCount: 3 } });
    await expect.poll(() => before?.length).toBeGreaterThan(0);
    expect(before?.filter((line) => line.includes('/render/') || line === historyPath)).toEqual([]);
    await expect.poll(() => countOf(`GET ${imagePath(2)}`)).toBe(1);
    await expect.poll(() => countOf(historyPath)).toBe(1);
    expect(countOf(renderPath)).toBe(1);
    expect([countOf(dataPath), countOf(`GET ${imagePath(1)}`)]).toEqual([0, 0]);
    sheet(1, 3).element().scrollIntoView({ block: 'end' });
    await expect.poll(marks).toEqual([markPagePath(1)]);
  });

  test('says so in the question: how wide, and at which page a search result begins', async () => {
    const { lines } = open({ details: { pageCount: 3 }, startPage: 2, brought: 2 });
    await expect.element(picture(2, 3)).toBeVisible();
    expect(lines().find((line) => line.startsWith(checkPath))).toMatch(/\?opening=true&width=1240&page=2$/);
  });

  test('stands where it stays: thumbnails, details and other pages come beside it', async () => {
    withPanels();
    open({ details: { pageCount: 3 } });
    await expect.element(picture(1, 3)).toBeVisible();
    const before = sheet(1, 3).element().getBoundingClientRect();
    await expect.element(page.getByRole('navigation', { name: 'Miniatury – Aneks nr 1' }).getByRole('button').first()).toBeVisible();
    await expect
      .element(page.getByRole('complementary', { name: 'Szczegóły dokumentu – Aneks nr 1' }).getByText('Zweryfikowany'))
      .toBeVisible();
    await expect.element(picture(3, 3)).toBeInTheDocument();
    expect(sheet(1, 3).element().getBoundingClientRect()).toEqual(before);
  });

  test('is where reading goes on, and is in view at once', async () => {
    const { countOf, marks } = open({ details: { pageCount: 9, pagesReached: [1, 2, 3, 4] }, brought: 5 });
    await expect.element(picture(5, 9)).toBeInViewport();
    sheet(5, 9).element().scrollIntoView({ block: 'end' });
    await expect.poll(marks).toEqual([markPagePath(5)]);
    expect(countOf(`GET ${imagePath(5)}`)).toBe(0);
  });

  test('gives way to a sharper one once that is here, and is never missing meanwhile', async () => {
    const sharp = `${imagePath(1)}?width=1860`;
    const sharper = Promise.withResolvers<Response>();
    open({
      details: { pageCount: 1 },
      answers: {
        [renderPath]: { done: true, progress: 100, sources: [{ page: 1, url: sharp }] },
        [`GET ${imagePath(1)}`]: sharper.promise,
      },
    });
    await expect.element(picture(1, 1)).toBeVisible();
    const first = picture(1, 1).element().getAttribute('src');
    await expect.element(page.getByRole('button', { name: 'Zamknij', exact: true })).toBeVisible();
    expect(picture(1, 1).element().getAttribute('src')).toBe(first);
    sharper.resolve(imageAnswer());
    await expect.poll(() => picture(1, 1).element().getAttribute('src')).not.toBe(first);
  });

  test('does not outlive the window', async () => {
    const living = watchObjectUrls();
    const { isOpen } = open({ details: { pageCount: 1 } });
    await expect.element(picture(1, 1)).toBeVisible();
    expect(living.size).toBeGreaterThan(0);
    await page.getByRole('region', { name: 'Aneks nr 1' }).getByRole('button', { name: 'Zamknij: Aneks nr 1' }).click();
    await expect.poll(isOpen).toBe(false);
    expect(living.size).toBe(0);
  });
});

describe('what did not come with the verification', () => {
  test('is asked for: a page that was not drawn yet', async () => {
    const { countOf } = open({ details: { pageCount: 2 }, brought: null });
    await expect.element(picture(1, 2)).toBeVisible();
    expect([countOf(dataPath), countOf(renderPath), countOf(`GET ${imagePath(1)}`)]).toEqual([0, 1, 1]);
  });

  test('is asked for and says why: pages that cannot be made take the place of the first one', async () => {
    const { isOpen, marks } = open({ details: { pageCount: 2 }, answers: { [renderPath]: refusal(500, 'RENDER_ERROR') } });
    await expect.element(page.getByText('Nie udało się wyświetlić dokumentu')).toBeVisible();
    await page.getByRole('button', { name: 'Zamknij', exact: true }).click();
    await expect.poll(isOpen).toBe(false);
    expect(marks().filter((line) => line.includes('/mark/read/'))).toEqual([]);
  });
});

describe('what is not shown', () => {
  test('although it came: a document that may only be downloaded', async () => {
    const { countOf } = open({ details: { pageCount: 1, metadata: { FILE_NAME: 'Dane.pdf', DOC_EXT: 'zip' } } });
    await expect.element(page.getByText('Ten dokument można tylko pobrać')).toBeVisible();
    await page.getByRole('button', { name: 'Pobierz' }).click();
    await expect.poll(() => countOf(downloadPath)).toBe(1);
    expect(countOf(renderPath)).toBe(0);
  });

  test('although it came: a document that is deleted', async () => {
    const { countOf, marks } = open({ details: { pageCount: 1, state: 'DELETED', deleted: true } });
    await expect.element(page.getByText('Dokument nie istnieje lub został usunięty')).toBeVisible();
    expect([countOf(renderPath), marks()]).toEqual([0, []]);
  });
});

describe('a document that a list told of', () => {
  const openFromList = (answers: Answers) => {
    const document = detailsOf({ pageCount: 1, metadata: { ...detailsOf({ pageCount: 1 }).metadata, PRIV_CASE_NUMBER: 'KH/2026/04417' } });
    const checked = Promise.withResolvers<Response>();
    answerFetch({ ...portalWith(document), [checkPath]: checked.promise, ...answers });
    showWindow(
      () => <DocumentWindow documentId={documentId} />,
      (queries) => {
        queries.setQueryData([listOwnDocuments.name, {}], { items: [document], total: 1 });
      },
    );
    const brought = renderPath in answers ? null : 1;
    return { answerCheck: () => checked.resolve(Response.json(checkThatOpens(document, brought))) };
  };
  const known = () => page.getByText('KH/2026/04417');

  test('shows what is known of it at once, where its first page will lie', async () => {
    const { answerCheck } = openFromList({});
    await expect.element(known()).toBeVisible();
    await expect.element(page.getByText('Otwieranie dokumentu…').first()).toBeVisible();
    const sheetOf = () => known().element().closest('dl')?.parentElement?.parentElement?.getBoundingClientRect();
    const before = sheetOf();
    answerCheck();
    await expect.element(picture(1, 1)).toBeVisible();
    expect(known().query()).toBeNull();
    const lies = sheet(1, 1).element().getBoundingClientRect();
    expect([lies.left, lies.top, lies.width].map(Math.round)).toEqual(
      [before?.left, before?.top, before?.width].map((px) => Math.round(px ?? 0)),
    );
  });

  test('stays so while its pages are being made, with their progress', async () => {
    const { answerCheck } = openFromList({ [renderPath]: { done: false, progress: 48, sources: [] } });
    await expect.element(known()).toBeVisible();
    const place = known().element().getBoundingClientRect().left;
    answerCheck();
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '48');
    expect(known().element().getBoundingClientRect().left).toBe(place);
  });
});

describe('a document without an entry in the register', () => {
  test('is opened, and says so above its pages; only its file is called verified', async () => {
    const details = { pageCount: 1 };
    const missing = { ...checkThatOpens(detailsOf(details)), entry: 'MISSING', ledger: null };
    open({ details, answers: { [checkPath]: missing } });
    await expect.element(picture(1, 1)).toBeVisible();
    await expect.element(page.getByRole('status').getByText(/Dokument nie ma wpisu w.rejestrze\./)).toBeVisible();
    await expect.element(page.getByText('Plik zweryfikowany').first()).toBeVisible();
    expect(page.getByText('Zweryfikowany', { exact: true }).elements()).toEqual([]);
  });
});

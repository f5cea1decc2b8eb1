import type { DocumentDetails } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, type Answers, type Asked } from '#platform/page.fixture.tsx';
import {
  checkPath,
  dataPath,
  detailsOf,
  documentId,
  downloadPath,
  forgetPanels,
  markPagePath,
  markReadPath,
  portalWith,
  renderPath,
  sha256,
  withPanels,
} from './document.fixture.ts';
import { DocumentWindow } from './DocumentWindow.tsx';

const done = () => page.getByRole('button', { name: 'Gotowe', exact: true });
const close = () => page.getByRole('button', { name: 'Zamknij', exact: true });
const surface = () => page.getByRole('region', { name: 'Strony dokumentu – Aneks nr 1' });
const linesOf = (asked: readonly Asked[], start: string): string[] =>
  asked.map(({ line }) => line).filter((line) => line.startsWith(start));
const marksOf = (asked: readonly Asked[]): string[] => linesOf(asked, 'POST /api/protected/documents/mark');

const open = (details: Partial<DocumentDetails> & { readonly pageCount: number }, answers: Answers = {}) => {
  const asked = answerFetch({ ...portalWith(detailsOf(details)), ...answers });
  const alerts: PortalEvents['alert'][] = [];
  const updated: string[] = [];
  const damaged: string[] = [];
  const leave = [
    on('alert', (alert) => alerts.push(alert)),
    on('documentUpdated', (event) => updated.push(event.documentId)),
    on('documentDamaged', (event) => damaged.push(event.documentId)),
  ];
  onTestFinished(() => leave.forEach((stop) => stop()));
  const { isOpen } = showWindow(() => <DocumentWindow documentId={documentId} />);
  return { asked, alerts, updated, damaged, isOpen };
};

const closeByTitleBar = () => page.getByRole('region', { name: 'Aneks nr 1' }).getByRole('button', { name: 'Zamknij: Aneks nr 1' }).click();

const readOn = async (): Promise<void> => {
  const element = surface().element();
  element.scrollTop += element.clientHeight * 0.8;
  await new Promise((resolve) => requestAnimationFrame(resolve));
};

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('reading', () => {
  test('a single page counts as reached when it is shown', async () => {
    const { asked } = open({ pageCount: 1 });
    await expect.element(close()).not.toHaveAttribute('aria-disabled');
    expect(marksOf(asked)).toEqual([markPagePath(1)]);
    await expect.element(page.getByText('Przeczytano 1 z 1 strony')).toBeVisible();
  });

  test('‘done’ says what it waits for, and becomes ‘close’ when every page was reached', async () => {
    const { asked } = open({ pageCount: 3 });
    await expect.element(done()).toHaveAttribute('aria-disabled', 'true');
    await expect.element(done()).toHaveAccessibleDescription('Najpierw przejdź przez wszystkie strony. Pozostałe strony: 1–3');
    // A page that is passed before its picture is there has not been read.
    const drawn = () => [...surface().element().querySelectorAll('img')].filter(({ complete }) => complete);
    await expect.poll(() => drawn().length).toBe(3);
    await expect
      .poll(async () => {
        await readOn();
        return close().query();
      })
      .not.toBeNull();
    expect(marksOf(asked).toSorted()).toEqual([1, 2, 3].map(markPagePath));
  });

  test('closing by that button marks the document as read, says so and has lists read it again', async () => {
    const { asked, alerts, updated, isOpen } = open({ pageCount: 1 });
    await close().click();
    await expect.poll(isOpen).toBe(false);
    expect(linesOf(asked, markReadPath)).toHaveLength(1);
    expect(alerts).toEqual([{ tone: 'success', title: 'Dokument został oznaczony jako przeczytany' }]);
    expect(updated).toEqual([documentId]);
  });

  test('closing by the title bar marks the document as read when every page was reached', async () => {
    const { asked, alerts, isOpen } = open({ pageCount: 1 });
    await expect.element(close()).toBeVisible();
    await closeByTitleBar();
    await expect.poll(isOpen).toBe(false);
    expect(linesOf(asked, markReadPath)).toHaveLength(1);
    expect(alerts).toEqual([{ tone: 'success', title: 'Dokument został oznaczony jako przeczytany' }]);
  });

  test('closing by the title bar marks nothing as read while pages are left', async () => {
    const { asked, alerts, isOpen } = open({ pageCount: 3 });
    await expect.element(done()).toBeVisible();
    await closeByTitleBar();
    await expect.poll(isOpen).toBe(false);
    expect(linesOf(asked, markReadPath)).toEqual([]);
    expect(alerts).toEqual([]);
  });

  test('a document of which the server has not all pages closes without a word, and stays unread', async () => {
    const missing = refusal(409, 'INVALID_STATUS', { fields: { pages: '1' } });
    const { asked, alerts, updated, isOpen } = open({ pageCount: 1 }, { [markReadPath]: missing });
    await close().click();
    await expect.poll(isOpen).toBe(false);
    expect(linesOf(asked, markReadPath)).toHaveLength(1);
    expect([alerts, updated]).toEqual([[], []]);
  });

  test('a mark that fails holds the title bar’s close once, so that a window can be closed offline', async () => {
    const { alerts, isOpen } = open({ pageCount: 1 }, { [markReadPath]: refusal(503, 'STORAGE_ERROR') });
    await expect.element(close()).toBeVisible();
    await closeByTitleBar();
    await expect.poll(() => alerts.map(({ tone }) => tone)).toEqual(['error']);
    expect(isOpen()).toBe(true);
    await closeByTitleBar();
    await expect.poll(isOpen).toBe(false);
  });

  test('a document that is taken away while it is open says so with the first answer that misses it, and closes without a mark', async () => {
    const { asked, updated, isOpen } = open({ pageCount: 1 }, { [markPagePath(1)]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR') });
    await expect.element(page.getByText('Nie znaleziono dokumentu')).toBeVisible();
    expect(surface().element().querySelector('img')).toBeNull();
    expect(updated).toEqual([documentId]);
    await close().click();
    await expect.poll(isOpen).toBe(false);
    expect(linesOf(asked, markReadPath)).toEqual([]);
  });

  test('the seal is drawn in when the last page is reached; nothing moves, and it is told once, in words', async () => {
    open({ pageCount: 2 });
    const told = page.getByRole('status').filter({ hasText: /^Przeczytano/ });
    const foot = () => told.element().closest('footer');
    await expect.element(told).toHaveTextContent('Przeczytano 0 z 2 stron');
    expect(foot()?.querySelector('svg polygon')).toBeNull();
    const height = foot()?.clientHeight;
    await expect
      .poll(async () => {
        await readOn();
        return close().query();
      })
      .not.toBeNull();
    expect(told.element().textContent).toBe('Przeczytano 2 z 2 stron');
    const seal = foot()?.querySelector('svg:has(polygon)');
    expect(seal?.getAttribute('aria-hidden')).toBe('true');
    expect(seal?.getAnimations()).toHaveLength(matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 1);
    expect(foot()?.clientHeight).toBe(height);
  });

  test('goes on where it stopped: pages reached before are not marked again', async () => {
    const { asked } = open({ pageCount: 3, pagesReached: [1, 2] });
    await expect.element(page.getByRole('img', { name: 'Strona 3 z 3' })).toBeInViewport();
    await expect
      .poll(async () => {
        await readOn();
        return close().query();
      })
      .not.toBeNull();
    expect(marksOf(asked)).toEqual([markPagePath(3)]);
  });

  test('a document that was read can be closed at once, and nothing is marked again', async () => {
    const { asked, alerts, isOpen } = open({ pageCount: 3, read: 5, pagesReached: [1, 2, 3] });
    await expect.element(page.getByText('Dokument przeczytany')).toBeVisible();
    await close().click();
    await expect.poll(isOpen).toBe(false);
    expect(marksOf(asked)).toEqual([]);
    expect(alerts).toEqual([]);
  });

  test('the page that is read is told, so that a reload goes on there', async () => {
    answerFetch(portalWith(detailsOf({ pageCount: 3 })));
    const pages: number[] = [];
    showWindow(() => <DocumentWindow documentId={documentId} startPage={2} onPage={(page) => pages.push(page)} />);
    await expect.element(page.getByRole('img', { name: 'Strona 2 z 3' })).toBeInViewport();
    await userEvent.fill(page.getByRole('textbox', { name: 'Numer strony' }), '3');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => pages).toEqual([2, 3]);
  });

  test('a mark that fails keeps the window, and can be tried again', async () => {
    const { alerts, isOpen } = open({ pageCount: 1 }, { [markReadPath]: refusal(503, 'STORAGE_ERROR') });
    await close().click();
    await expect.poll(() => alerts.map(({ tone }) => tone)).toEqual(['error']);
    expect(isOpen()).toBe(true);
    await expect.element(close()).not.toHaveAttribute('aria-disabled');
  });

  test('pages are told by their numbers, and no image outlives the window', async () => {
    const revoked = vi.spyOn(URL, 'revokeObjectURL');
    onTestFinished(() => revoked.mockRestore());
    const { isOpen } = open({ pageCount: 1 });
    const image = page.getByRole('img', { name: 'Strona 1 z 1' });
    await expect.element(image).toBeVisible();
    const src = image.element().getAttribute('src');
    await close().click();
    await expect.poll(isOpen).toBe(false);
    expect(revoked).toHaveBeenCalledWith(src);
  });
});

describe('what is shown beside the pages', () => {
  test('the window bears the document’s name, the panel its verification and its metadata', async () => {
    withPanels();
    open({ pageCount: 1 });
    await expect.element(page.getByRole('heading', { name: 'Aneks nr 1', exact: true })).toBeVisible();
    const panel = page.getByRole('complementary', { name: 'Szczegóły dokumentu – Aneks nr 1' });
    await expect.element(panel.getByText('Zweryfikowany')).toBeVisible();
    await expect.element(panel.getByText('2026-11-20, 10:00:00')).toBeVisible();
    await expect.element(panel.getByText('Nazwa pliku')).toBeVisible();
    expect(panel.element().textContent).toContain(sha256);
    // Nothing but spaces is nothing to show.
    expect(panel.getByText('Numer sprawy').query()).toBeNull();
    await expect.element(panel.getByText('bezterminowo')).toHaveAttribute('lang', 'pl');
  });

  test('on a phone its seal and its verdict lead to the details, and the file is at hand beside the end of reading', async () => {
    await page.viewport(390, 844);
    const { asked } = open({ pageCount: 1 });
    const panel = page.getByRole('complementary', { name: 'Szczegóły dokumentu – Aneks nr 1' });
    await page.getByRole('button', { name: 'Zweryfikowany Szczegóły dokumentu' }).click();
    await expect.element(panel.getByText('Nazwa pliku')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Ukryj szczegóły dokumentu' })).toHaveAttribute('aria-expanded', 'true');
    await page.getByRole('button', { name: 'Ukryj szczegóły dokumentu' }).click();
    await expect.element(panel).not.toBeInTheDocument();
    await expect.element(page.getByRole('img', { name: 'Strona 1 z 1' })).toBeVisible();
    await page.getByRole('button', { name: 'Pobierz' }).click();
    await expect.poll(() => linesOf(asked, downloadPath)).toHaveLength(1);
  });

  test('at first the document has the room; a panel that was opened is open in the next window, too', async () => {
    await page.viewport(1366, 768);
    onTestFinished(forgetPanels);
    open({ pageCount: 3 });
    const sheet = page.getByRole('group', { name: 'Strona 1 z 3' });
    await expect.element(sheet).toBeVisible();
    const panel = () => page.getByRole('complementary', { name: 'Szczegóły dokumentu – Aneks nr 1' });
    expect([panel().query(), page.getByRole('navigation', { name: 'Miniatury – Aneks nr 1' }).query()]).toEqual([null, null]);
    expect(sheet.element().getBoundingClientRect().width).toBeGreaterThanOrEqual(800);
    await page.getByRole('button', { name: 'Zweryfikowany. Szczegóły dokumentu' }).click();
    await expect.element(panel()).toBeVisible();
    await closeByTitleBar();
    await expect.element(panel()).not.toBeInTheDocument();
    open({ pageCount: 3 });
    await expect.element(panel()).toBeVisible();
    await page.getByRole('button', { name: 'Zweryfikowany. Ukryj szczegóły dokumentu' }).click();
    await expect.element(panel()).not.toBeInTheDocument();
  });

  test('on a phone it is read as text, and as pages again, by one press', async () => {
    await page.viewport(390, 844);
    open({ pageCount: 1 });
    await page.getByRole('button', { name: 'Czytaj jako tekst' }).click();
    await expect.element(page.getByRole('heading', { name: 'Strona 1 z 1' })).toBeVisible();
    await page.getByRole('button', { name: 'Pokaż strony' }).click();
    await expect.element(page.getByRole('img', { name: 'Strona 1 z 1' })).toBeVisible();
  });

  test('the version is told where the organisation counts them', async () => {
    withPanels();
    open({ pageCount: 1, metadata: { FILE_NAME: 'Aneks nr 1.pdf', CHECKSUM_SHA256: sha256, 2: 4 } });
    const panel = page.getByRole('complementary', { name: 'Szczegóły dokumentu – Aneks nr 1' });
    await expect.element(panel.getByText('wersja 4', { exact: true })).toBeVisible();
  });

  test('a document that was cancelled or superseded says so and can still be read', async () => {
    open({ pageCount: 1, state: 'OBSOLETE' });
    await expect.element(page.getByText('Ten dokument jest już nieaktualny')).toBeVisible();
    await expect.element(page.getByRole('img')).toBeVisible();
  });

  test('while pages are being made, the progress is shown', async () => {
    open({ pageCount: 2 }, { [renderPath]: { done: false, progress: 48, sources: [] } });
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '48');
    await expect.element(page.getByText('Przygotowywanie dokumentu: 48%', { exact: true }).first()).toBeVisible();
    await expect.element(done()).toHaveAttribute('aria-disabled', 'true');
  });

  test('zoom and pages are at the keyboard’s hand', async () => {
    open({ pageCount: 3 });
    const number = page.getByRole('textbox', { name: 'Numer strony' });
    await userEvent.fill(number, '3');
    await userEvent.keyboard('{Enter}');
    await expect.element(number).toHaveValue('3');
    // The first step leaves fitting to a width that may still be settling; from there on zoom is a number of its own.
    await page.getByRole('button', { name: 'Powiększ' }).click();
    const widthBefore = page.getByRole('img').last().element().clientWidth;
    await page.getByRole('button', { name: 'Powiększ' }).click();
    await expect.poll(() => page.getByRole('img').last().element().clientWidth).toBeGreaterThan(widthBefore);
    await expect.element(number).toHaveValue('3');
  });
});

describe('what is not shown', () => {
  for (const [status, sentence] of [
    ['SHA_NOT_EQUAL', 'Suma kontrolna dokumentu jest niezgodna'],
    ['CIF_NOT_EQUAL', 'Identyfikator właściciela dokumentu (CIF) jest niezgodny'],
    ['SHA_CIF_NOK', 'Weryfikacja dokumentu nie powiodła się'],
    ['DOCUMENT_NOT_EXIST', 'Dokument nie istnieje lub został usunięty'],
  ] as const)
    test(`${status}: the sentence stands in place of the document, of which nothing is asked for`, async () => {
      const { asked, damaged, isOpen } = open(
        { pageCount: 1 },
        { [checkPath]: { status, checkedAt: null, entry: 'PROVED', differences: [], notCompared: [] } },
      );
      await expect.element(page.getByRole('alert').getByText(sentence)).toBeVisible();
      expect(damaged).toEqual(status === 'SHA_NOT_EQUAL' || status === 'SHA_CIF_NOK' ? [documentId] : []);
      for (const path of [dataPath, renderPath, downloadPath]) expect(linesOf(asked, path)).toEqual([]);
      await close().click();
      await expect.poll(isOpen).toBe(false);
      expect(marksOf(asked)).toEqual([]);
    });

  test('a document that is not as the register says, and what differs', async () => {
    const found = { status: 'SHA_CIF_NOK', checkedAt: null, entry: 'PROVED', differences: ['TIME', 'METADATA'], notCompared: [] };
    open({ pageCount: 1 }, { [checkPath]: found });
    await expect.element(page.getByText(/Niezgodne z.rejestrem: data publikacji, nazwa lub inne dane dokumentu\./)).toBeVisible();
  });

  test('a deleted document', async () => {
    const { asked } = open({ pageCount: 1, state: 'DELETED', deleted: true });
    await expect.element(page.getByText('Dokument nie istnieje lub został usunięty')).toBeVisible();
    expect(linesOf(asked, renderPath)).toEqual([]);
  });

  test('a document that may only be downloaded offers just that', async () => {
    const { asked } = open({ pageCount: 1, metadata: { FILE_NAME: 'Dane.pdf', DOC_EXT: 'zip' } });
    await expect.element(page.getByText('Ten dokument można tylko pobrać')).toBeVisible();
    await page.getByRole('button', { name: 'Pobierz' }).click();
    await expect.poll(() => linesOf(asked, downloadPath)).toHaveLength(1);
    expect(linesOf(asked, renderPath)).toEqual([]);
  });

  for (const [status, code, sentence] of [
    [403, 'ACCESS_DENIED', 'Brak dostępu do tego dokumentu (błąd 403)'],
    [404, 'RESOURCE_NOT_FOUND', 'Nie znaleziono dokumentu'],
    [500, 'INTERNAL_SERVER_ERROR', 'Nie udało się wyświetlić dokumentu'],
  ] as const)
    test(`pages answered with ${status}: the reason is said, and closing marks nothing`, async () => {
      const { asked, isOpen } = open({ pageCount: 2 }, { [renderPath]: refusal(status, code) });
      await expect.element(page.getByText(sentence)).toBeVisible();
      await close().click();
      await expect.poll(isOpen).toBe(false);
      expect(marksOf(asked)).toEqual([]);
    });

  test('after a failure the pages can be asked for again, and the file be downloaded', async () => {
    const { asked } = open({ pageCount: 1 }, { [renderPath]: refusal(500, 'INTERNAL_SERVER_ERROR') });
    await page.getByRole('button', { name: 'Spróbuj ponownie' }).click();
    await expect.poll(() => linesOf(asked, renderPath)).toHaveLength(2);
    await page.getByRole('alert').getByRole('button', { name: 'Pobierz' }).click();
    await expect.poll(() => linesOf(asked, downloadPath)).toHaveLength(1);
    await expect.element(page.getByRole('alert').getByRole('button', { name: 'Pokaż sam plik' })).toBeVisible();
  });

  test('pages that the storage refuses have lists ask about the document', async () => {
    const { updated, damaged } = open({ pageCount: 1 }, { [renderPath]: refusal(503, 'STORAGE_ERROR') });
    await expect.element(page.getByText('Nie udało się wyświetlić dokumentu')).toBeVisible();
    expect([updated, damaged]).toEqual([[documentId], []]);
  });

  test('a check that could not be made can be made again, and the focus stays in the window', async () => {
    const { asked } = open({ pageCount: 1 }, { [checkPath]: refusal(503, 'STORAGE_ERROR') });
    await page.getByRole('button', { name: 'Spróbuj ponownie' }).click();
    await expect.poll(() => linesOf(asked, checkPath)).toHaveLength(2);
    expect(linesOf(asked, dataPath)).toEqual([]);
    await expect.element(page.getByRole('heading', { name: 'Tested' })).toHaveFocus();
  });
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { aPdf, pdfAnswer } from '#kit/pdf/pdf.fixture.ts';
import { show } from '#kit/render.fixture.tsx';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { on, type PortalEvents } from '#platform/events.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { PublicPreview } from './PublicPreview.tsx';

const id = '7c1b7a32-0000-4000-8000-000000000001';
const dataPath = `GET /api/open/documents/details/${id}`;
const filePath = `GET /api/open/documents/download/${id}`;
const checkPath = `GET /api/open/documents/check/${id}`;
const [upright, across] = [
  { width: 595, height: 842 },
  { width: 842, height: 595 },
];
const details = {
  id,
  state: 'ACTIVE',
  metadata: { FILE_NAME: 'Taryfa opłat.pdf', CHECKSUM_SHA256: 'ab'.repeat(32) },
  pageCount: 3,
  pageSizes: [upright, across, upright],
  pagesReached: [],
};

const sheets = () => page.getByRole('region', { name: 'Strony dokumentu' });
const sheet = (number: number, of: number) => page.getByRole('group', { name: `Strona ${number} z ${of}` });
const picture = (number: number, of: number) => sheet(number, of).getByRole('img');

/** A worker has to start, on a machine with other work. */
const patient = { timeout: 15_000 };

const open = (answers: Answers = {}, pages = 3) => {
  const asked = answerFetch({
    'GET /api/open/documents/metadata/all': { items: [checksum] },
    'GET /api/open/documents/metadata/dictionaries/list': { items: [] },
    [dataPath]: details,
    [filePath]: pdfAnswer(aPdf(pages)),
    ...answers,
  });
  const closed: string[] = [];
  const opened: string[] = [];
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  const host = show(
    <QueryClientProvider client={queries}>
      <PublicPreview id={id} title="Taryfa" onClose={() => closed.push(id)} onOpenNewVersion={(next) => opened.push(next)} />
    </QueryClientProvider>,
  );
  host.style.cssText = 'position: fixed; inset: 0; display: flex; flex-direction: column';
  return { closed, opened, lines: () => asked.map(({ line }) => line) };
};

beforeEach(async () => {
  await page.viewport(560, 500);
  await freshTab('PL');
  // As it is in a browser where nothing was chosen yet.
  chooseAppearance('viewer-details', 'auto');
});

const checksum = {
  id: 'CHECKSUM_SHA256',
  number: 3,
  type: 'RAW',
  name: { pl: 'Suma kontrolna', en: 'Checksum' },
  screens: ['D'],
};

describe('a public document', () => {
  test('is drawn as wide as there is room, each page in its own shape, and anew when the room changes', async () => {
    open();
    await expect.element(picture(1, 3), patient).toBeInTheDocument();
    const box = (number: number): DOMRect => sheet(number, 3).element().getBoundingClientRect();
    expect(box(2).height / box(2).width).toBeCloseTo(595 / 842, 1);
    expect(box(1).height / box(1).width).toBeCloseTo(842 / 595, 1);
    expect(box(1).width).toBeLessThanOrEqual(sheets().element().clientWidth);
    const before = box(1).width;
    await page.viewport(400, 700);
    await expect.poll(() => box(1).width).not.toBe(before);
    expect(box(1).width).toBeLessThanOrEqual(400);
  });

  test('has its pages by number, larger and smaller', async () => {
    open();
    await expect.element(picture(1, 3), patient).toBeInTheDocument();
    const width = (): number => sheet(1, 3).element().getBoundingClientRect().width;
    const before = width();
    await page.getByRole('button', { name: 'Powiększ', exact: true }).click();
    await expect.poll(width).toBeGreaterThan(before);
    const number = page.getByRole('textbox', { name: 'Numer strony' });
    await number.fill('3');
    await userEvent.keyboard('{Enter}');
    await expect.element(sheet(3, 3)).toBeInViewport();
  });

  test('that was replaced says so, and leads to its new version', async () => {
    const nextId = '7c1b7a32-0000-4000-8000-000000000002';
    const { opened } = open({ [dataPath]: { ...details, state: 'OBSOLETE', successor: nextId } });
    await expect.element(page.getByText('Ten dokument jest już nieaktualny'), patient).toBeVisible();
    await page.getByRole('button', { name: 'Otwórz nową wersję' }).click();
    expect(opened).toEqual([nextId]);
  });

  test('shows its data, its seal and its verdict, without being asked', async () => {
    await page.viewport(1_100, 700);
    open({ [checkPath]: { status: 'SHA_CIF_OK', checkedAt: 1_000, entry: 'PROVED', differences: [], notCompared: [] } });
    const about = page.getByRole('complementary', { name: 'Szczegóły dokumentu' });
    await expect.element(page.getByRole('button', { name: 'Szczegóły dokumentu' }), patient).toBeVisible();
    await page.getByRole('button', { name: 'Szczegóły dokumentu' }).click();
    await expect.element(about.getByText('abab').first(), patient).toBeVisible();
    await expect.element(about.getByText('Zweryfikowany', { exact: true })).toBeVisible();
  });

  test('that a check finds damaged says so beside its pages', async () => {
    await page.viewport(1_100, 700);
    open({ [checkPath]: { status: 'SHA_NOT_EQUAL', checkedAt: 1_000, entry: 'PROVED', differences: [], notCompared: [] } });
    const about = page.getByRole('complementary', { name: 'Szczegóły dokumentu' });
    await expect.element(page.getByRole('button', { name: 'Szczegóły dokumentu' }), patient).toBeVisible();
    await page.getByRole('button', { name: 'Szczegóły dokumentu' }).click();
    await expect.element(about).toBeVisible();
    await page.getByRole('button', { name: 'Sprawdź' }).click();
    await expect.element(about.getByText('Suma kontrolna dokumentu jest niezgodna')).toBeVisible();
  });

  test('that has no entry in the register says so beside its pages, without being asked', async () => {
    await page.viewport(1_100, 700);
    open({ [checkPath]: refusal(404, 'NOT_FOUND_BC') });
    const about = page.getByRole('complementary', { name: 'Szczegóły dokumentu' });
    await expect.element(page.getByRole('button', { name: 'Szczegóły dokumentu' }), patient).toBeVisible();
    await page.getByRole('button', { name: 'Szczegóły dokumentu' }).click();
    await expect.element(about.getByText('Dokument nie ma wpisu w rejestrze')).toBeVisible();
  });

  test.each([
    ['copied', () => Promise.resolve(), 'Link został skopiowany'],
    ['shown where the browser does not copy', () => Promise.reject(new Error('no')), 'Przeglądarka nie pozwala na kopiowanie. Oto link:'],
  ])('its link is %s', async (_, write, title) => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(write);
    onTestFinished(() => written.mockRestore());
    const alerts: PortalEvents['alert'][] = [];
    onTestFinished(on('alert', (alert) => alerts.push(alert)));
    open();
    await page.getByRole('button', { name: 'Kopiuj link do tego dokumentu' }).click();
    await expect.poll(() => alerts.map((alert) => [alert.title, alert.detail])).toEqual([[title, `${location.origin}/public/${id}`]]);
    expect(written.mock.calls).toEqual([[`${location.origin}/public/${id}`]]);
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

  test('of many pages has pictures around the reader only', async () => {
    open({ [dataPath]: { ...details, pageCount: 60, pageSizes: [upright] } }, 60);
    await expect.element(picture(1, 60), patient).toBeInTheDocument();
    sheets()
      .element()
      .scrollTo({ top: 40 * 1_000 });
    await expect.element(picture(1, 60)).not.toBeInTheDocument();
    await expect.poll(() => sheets().getByRole('img').elements().length, patient).toBeGreaterThan(0);
    expect(sheets().getByRole('img').elements().length).toBeLessThan(12);
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
    await expect.element(picture(1, 3), patient).toBeInTheDocument();
    await page.getByRole('button', { name: 'Pobierz' }).click();
    expect(names).toEqual(['Taryfa opłat.pdf']);
    expect(
      lines()
        .filter((line) => !line.includes('/metadata/'))
        .toSorted(),
    ).toEqual([checkPath, dataPath, filePath].toSorted());
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

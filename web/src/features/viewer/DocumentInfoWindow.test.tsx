import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { aPdf, pdfAnswer } from '#kit/pdf/pdf.fixture.ts';
import { on } from '#platform/events.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { dataPath, detailsOf, documentId, downloadPath, markPagePath, markReadPath, portalWith, sha256 } from './document.fixture.ts';
import { DocumentInfoWindow } from './DocumentInfoWindow.tsx';

const publicPath = `GET /api/open/documents/download/${documentId}`;
const paper = aPdf(2);
/** A worker has to start, on a machine with other work. */
const patient = { timeout: 15_000 };

const checksumOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const open = async (metadata: Record<string, string>, answers: Answers = {}) => {
  const whole = { FILE_NAME: 'Aneks nr 1.pdf', CHECKSUM_SHA256: await checksumOf(paper), ...metadata };
  const asked = answerFetch({
    ...portalWith(detailsOf({ pageCount: 2, metadata: whole })),
    [downloadPath]: pdfAnswer(paper),
    [publicPath]: pdfAnswer(paper),
    ...answers,
  });
  const updated: string[] = [];
  onTestFinished(on('documentUpdated', (event) => updated.push(event.documentId)));
  const { isOpen } = showWindow(() => <DocumentInfoWindow documentId={documentId} />);
  return { isOpen, updated, lines: () => asked.map(({ line }) => line) };
};
const firstPage = () => page.getByRole('group', { name: 'Strona 1 z 2' });
const ok = () => page.getByRole('button', { name: 'OK', exact: true });

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('the file of a document', () => {
  test('is drawn from its bytes, whose checksum was computed here; OK closes it, and its worker ends', async () => {
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    onTestFinished(() => ended.mockRestore());
    const { isOpen, lines, updated } = await open({ '2': '3' });
    await expect.poll(() => firstPage().query()?.querySelector('img'), patient).toBeTruthy();
    await expect.element(page.getByRole('heading', { name: 'Informacje o dokumencie: Aneks nr 1' })).toBeVisible();
    await expect.element(page.getByText('To plik, który opublikowano')).toBeVisible();
    await expect.element(page.getByText('wersja 3', { exact: true })).toBeVisible();
    await expect.element(firstPage().getByText('Line of page 1')).toBeInTheDocument();
    await ok().click();
    await expect.poll(isOpen).toBe(false);
    expect(ended).toHaveBeenCalledOnce();
    // It was shown, and not read to its end: that is neither a download nor a reading.
    expect(updated).toEqual([]);
    expect(lines().filter((line) => line.startsWith(downloadPath))).toEqual([`${downloadPath}?purpose=showing`]);
    expect(lines()).not.toContain(markReadPath);
  });

  test('of a public document is fetched as anybody may', async () => {
    const { lines } = await open({ TYPE: 'PUBLIC' });
    await expect.element(firstPage(), patient).toBeVisible();
    expect(lines()).toContain(publicPath);
    expect(lines().filter((line) => line.startsWith(downloadPath))).toEqual([]);
  });

  test('is not shown when the bytes that came are not those that were published', async () => {
    const { isOpen } = await open({ CHECKSUM_SHA256: sha256 });
    await expect.element(page.getByRole('alert').getByText('Suma kontrolna dokumentu jest niezgodna')).toBeVisible();
    expect(page.getByText('To plik, który opublikowano').query()).toBeNull();
    await ok().click();
    await expect.poll(isOpen).toBe(false);
  });

  for (const [status, code, sentence] of [
    [403, 'ACCESS_DENIED', 'Brak dostępu do tego dokumentu (błąd 403)'],
    [404, 'DOCUMENT_NOT_FOUND_ERROR', 'Nie znaleziono dokumentu'],
    [500, 'INTERNAL_SERVER_ERROR', 'Nie udało się wyświetlić dokumentu'],
  ] as const)
    test(`that is answered with ${status} is not shown, and the reason is said`, async () => {
      await open({}, { [downloadPath]: refusal(status, code) });
      await expect.element(page.getByRole('alert').getByText(sentence)).toBeVisible();
      await expect.element(ok()).not.toHaveAttribute('aria-disabled');
    });

  test('of a document that was deleted is not even asked for', async () => {
    const details = detailsOf({ pageCount: 2, state: 'DELETED', deleted: true });
    const { lines } = await open({}, { [dataPath]: details });
    await expect.element(page.getByRole('alert').getByText('Dokument nie istnieje lub został usunięty')).toBeVisible();
    expect(lines().filter((line) => line.startsWith(downloadPath))).toEqual([]);
  });

  test('that was read to its last page is marked as read when it is closed, page by page, as in the viewer', async () => {
    const alerts: string[] = [];
    onTestFinished(on('alert', ({ title }) => alerts.push(title)));
    const { isOpen, lines, updated } = await open({});
    const drawn = (number: number) =>
      page
        .getByRole('group', { name: `Strona ${number} z 2` })
        .query()
        ?.querySelector('img');
    await expect.poll(() => drawn(1), patient).toBeTruthy();
    firstPage().element().scrollIntoView({ block: 'end' });
    await expect.element(page.getByText(/^Przeczytano 1 z 2 stron/)).toBeVisible();
    page.getByRole('group', { name: 'Strona 2 z 2' }).element().scrollIntoView({ block: 'end' });
    await expect.poll(() => drawn(2), patient).toBeTruthy();
    await expect.element(page.getByText('Przeczytano 2 z 2 stron')).toBeVisible();
    expect(lines()).not.toContain(markReadPath);
    await ok().click();
    await expect.poll(isOpen).toBe(false);
    expect(lines().filter((line) => line.startsWith('POST'))).toEqual([markPagePath(1), markPagePath(2), markReadPath]);
    expect(alerts).toEqual(['Dokument został oznaczony jako przeczytany']);
    expect(updated).toEqual([documentId]);
  });

  test('that was read before says so, and is marked no more', async () => {
    const whole = { FILE_NAME: 'Aneks nr 1.pdf', CHECKSUM_SHA256: await checksumOf(paper) };
    const { lines, isOpen } = await open({}, { [dataPath]: detailsOf({ pageCount: 2, read: 5, pagesReached: [1, 2], metadata: whole }) });
    await expect.element(page.getByText('Dokument przeczytany'), patient).toBeVisible();
    await expect.poll(() => firstPage().query()?.querySelector('img'), patient).toBeTruthy();
    await ok().click();
    await expect.poll(isOpen).toBe(false);
    expect(lines().filter((line) => line.startsWith('POST'))).toEqual([]);
  });
});

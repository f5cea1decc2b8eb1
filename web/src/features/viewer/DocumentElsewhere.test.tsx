import type { DocumentDetails } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { on } from '#platform/events.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { clearSession } from '#platform/session-token.ts';
import { detailsOf, documentId, downloadPath, portalWith } from './document.fixture.ts';
import { DocumentWindow } from './DocumentWindow.tsx';

const open = (details: Partial<DocumentDetails> & { readonly pageCount: number }, answers: Answers = {}) => {
  const asked = answerFetch({ ...portalWith(detailsOf(details)), ...answers });
  const alerts: string[] = [];
  onTestFinished(on('alert', ({ title }) => alerts.push(title)));
  showWindow(() => <DocumentWindow documentId={documentId} />);
  return { alerts, lines: () => asked.map(({ line }) => line) };
};

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('a window of the browser', () => {
  const button = () => page.getByRole('button', { name: 'Otwórz w nowym oknie' });

  /** A window as the browser gives one, that goes nowhere. */
  const aWindow = () => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    onTestFinished(() => frame.remove());
    const went: string[] = [];
    const opened = {
      document: frame.contentDocument,
      location: { replace: (url: string) => went.push(url) },
      closed: false,
      close: vi.fn<() => void>(),
    };
    return { opened, went };
  };

  test('shows the file from a blob, in the same press; the blob and the window go with the session', async () => {
    const revoked = vi.spyOn(URL, 'revokeObjectURL');
    const { opened, went } = aWindow();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a window, this much is used
    const opening = vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    onTestFinished(() => void vi.restoreAllMocks());
    const { lines } = open({ pageCount: 1 }, { [downloadPath]: new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }) });
    await button().click();
    expect(opening).toHaveBeenCalledWith('', '_blank');
    await expect.poll(() => went).toHaveLength(1);
    expect(went[0]).toMatch(/^blob:/);
    expect(lines().filter((line) => line.startsWith(downloadPath))).toEqual([`${downloadPath}?purpose=showing`]);
    expect(revoked).not.toHaveBeenCalledWith(went[0]);
    clearSession();
    expect(opened.close).toHaveBeenCalledOnce();
    expect(revoked).toHaveBeenCalledWith(went[0]);
  });

  test('that the browser does not let open is said, and the file is not even fetched', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null);
    onTestFinished(() => void vi.restoreAllMocks());
    const { alerts, lines } = open({ pageCount: 1 });
    await button().click();
    await expect.poll(() => alerts).toEqual(['Przeglądarka zablokowała nowe okno']);
    expect(lines().filter((line) => line.startsWith(downloadPath))).toEqual([]);
  });

  test('is closed again when the file cannot be loaded', async () => {
    const { opened, went } = aWindow();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a window, this much is used
    vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
    onTestFinished(() => void vi.restoreAllMocks());
    const { alerts } = open({ pageCount: 1 }, { [downloadPath]: refusal(503, 'STORAGE_ERROR') });
    await button().click();
    await expect.poll(() => alerts).toHaveLength(1);
    expect(opened.close).toHaveBeenCalledOnce();
    expect(went).toEqual([]);
  });
});

describe('printing a long document', () => {
  const printed = (): readonly number[][] => {
    const parts: number[][] = [];
    vi.spyOn(window, 'print').mockImplementation(() => {
      const images = [...document.body.querySelectorAll<HTMLImageElement>(':scope > div > img')];
      parts.push([images.length, images.filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length]);
      dispatchEvent(new Event('afterprint'));
    });
    onTestFinished(() => void vi.restoreAllMocks());
    return parts;
  };
  const dialog = () => page.getByRole('dialog', { name: 'Drukowanie dokumentu' });
  const submit = () => dialog().getByRole('button', { name: 'Drukuj' });

  test('is done in parts that are proposed one after another, leaves nothing behind and marks no page', async () => {
    const parts = printed();
    const created = vi.spyOn(URL, 'createObjectURL');
    const revoked = vi.spyOn(URL, 'revokeObjectURL');
    const { lines } = open({ pageCount: 220 });
    await expect.element(page.getByRole('group', { name: 'Strona 1 z 220' })).toBeVisible();
    await page.getByRole('button', { name: 'Drukuj' }).click();
    await expect.element(dialog().getByText(/^Dokument ma 220 stron\./)).toBeVisible();
    await expect.element(dialog().getByRole('textbox', { name: 'Do strony' })).toHaveValue('200');
    const before = created.mock.calls.length - revoked.mock.calls.length;
    await submit().click();
    await expect.element(dialog().getByText(/^Strony 1–200 wysłano do druku/), { timeout: 15_000 }).toBeVisible();
    expect(parts).toEqual([[200, 200]]);
    expect(created.mock.calls.length - revoked.mock.calls.length).toBe(before);
    await expect.element(dialog().getByRole('textbox', { name: 'Od strony' })).toHaveValue('201');
    await submit().click();
    await expect.element(dialog(), { timeout: 15_000 }).not.toBeInTheDocument();
    expect(parts).toEqual([
      [200, 200],
      [20, 20],
    ]);
    expect(document.body.querySelectorAll(':scope > div > img')).toHaveLength(0);
    expect(lines().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  test('takes the pages that are asked for, and no more than are printed at once', async () => {
    const parts = printed();
    open({ pageCount: 220 });
    await page.getByRole('button', { name: 'Drukuj' }).click();
    const to = dialog().getByRole('textbox', { name: 'Do strony' });
    await userEvent.fill(to, '210');
    await submit().click();
    await expect.element(dialog().getByText('Naraz można wydrukować najwyżej 200 stron')).toBeVisible();
    await userEvent.fill(dialog().getByRole('textbox', { name: 'Od strony' }), '219');
    await userEvent.fill(to, '230');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog().getByText(/^Wpisz numery stron od 1 do 220/)).toBeVisible();
    expect(parts).toEqual([]);
    await userEvent.fill(to, '220');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => parts).toEqual([[2, 2]]);
  });

  test('can be broken off while pages are still coming', async () => {
    const parts = printed();
    const never = new Promise(() => undefined);
    const { lines } = open({ pageCount: 220 }, { [`GET /api/protected/documents/render/page/${documentId}/90`]: never });
    await page.getByRole('button', { name: 'Drukuj' }).click();
    await submit().click();
    await expect.element(dialog().getByRole('progressbar')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(parts).toEqual([]);
    expect(lines().filter((line) => line.startsWith('POST'))).toEqual([]);
  });
});

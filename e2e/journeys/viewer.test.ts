import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { needsWindows } from '../due.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** What another program reads on that page, word by word in the order of the page; undefined where the program is not installed. */
const wordsByPoppler = async (pdf: Uint8Array, page: number): Promise<string[] | undefined> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pergamin-words-'));
  try {
    const file = path.join(folder, 'paper.pdf');
    await writeFile(file, pdf);
    const { stdout } = await promisify(execFile)('pdftotext', ['-raw', '-enc', 'UTF-8', '-f', String(page), '-l', String(page), file, '-']);
    return wordsOf(stdout.replaceAll('\f', ' '));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

test('a document by keys alone: its words are copied and found, it is enlarged, turned to from thumbnails, and read as text', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const looking = await watch(page);
  const person = await createPerson();
  const name = 'Harmonogram spłat kredytu';
  const paper = await aPaper(3);
  await publish(paper, { cif: person.cif, name: `${name}.pdf`, meta: {} });
  const client = createClient(page, 'PL');
  await client.startsAtTheDesk(person);
  await client.opensReceivedDocuments();
  await client.chooses('show', name);
  const window = page.getByRole('region', { name, exact: true });
  const first = window.getByRole('group', { name: 'Strona 1 z 3' });
  await expect(first.getByText(name)).toBeAttached();

  // A screen reader must read the words of the page, in its order.
  const words = (await first.innerText()).split('\n').map((line) => line.trim());
  expect(words).toContain('Harmonogram spłat kredytu');
  expect(words.findIndex((line) => line.startsWith('Kredytobiorca'))).toBeLessThan(
    words.findIndex((line) => line.startsWith('Liczba rat')),
  );
  // Word for word, as another program reads it; where none is installed, the words above have to do.
  const expected = await wordsByPoppler(paper, 1);
  if (expected !== undefined) expect(wordsOf(words.join(' '))).toEqual(expected);
  await first.getByText(name).click({ clickCount: 3 });
  expect((await page.evaluate(() => getSelection()?.toString() ?? '')).trim()).toBe('Harmonogram spłat kredytu');

  const pages = window.getByRole('region', { name: 'Strony dokumentu' });
  await pages.focus();
  await page.keyboard.press('Control+f');
  await expect(window.getByRole('textbox', { name: 'Szukaj w dokumencie' })).toBeFocused();
  await page.keyboard.type('SPLAT kredytu');
  await expect(window.getByText(/^1 z \d+$/)).toBeVisible();
  await looking.screenIsAccessible('the document with its find bar');
  await page.keyboard.press('Enter');
  await expect(window.getByText(/^2 z \d+$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pages).toBeFocused();

  const width = async (): Promise<number> => (await first.boundingBox())?.width ?? 0;
  const before = await width();
  await window.getByRole('button', { name: 'Powiększ', exact: true }).press('Enter');
  await expect.poll(width).toBeGreaterThan(before);

  await window.getByRole('button', { name: 'Miniatury' }).press('Enter');
  const thumbnails = window.getByRole('navigation', { name: 'Miniatury' });
  await thumbnails.locator('[aria-current="page"]').focus();
  await page.keyboard.press('End');
  await expect(thumbnails.getByRole('button', { name: /^Strona 3 z 3/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(window.getByRole('textbox', { name: 'Numer strony' })).toHaveValue('3');

  await window.getByRole('button', { name: 'Czytaj jako tekst' }).press('Enter');
  await expect(window.getByRole('heading', { name: 'Strona 3 z 3' })).toBeInViewport();
  await window.getByRole('button', { name: 'Większe litery' }).press('Enter');
  await expect(window.getByText('Wielkość liter: 150%')).toBeVisible();
  await looking.screenIsAccessible('the document as text');
  looking.nothingWentWrong();
});

test(
  'the file itself: in a window of the desk, by keys, and in a window of the browser that closes with the session',
  { tag: needsWindows },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const looking = await watch(page);
    const person = await createPerson();
    const name = 'Aneks do umowy';
    await publish(await aPaper(2), { cif: person.cif, name: `${name}.pdf`, meta: {} });
    const client = createClient(page, 'PL');
    await client.startsAtTheDesk(person);
    await client.opensReceivedDocuments();
    await client.chooses('show', name);
    const viewer = page.getByRole('region', { name, exact: true });
    await viewer.getByRole('button', { name: 'Pokaż sam plik' }).press('Enter');
    const info = page.getByRole('region', { name: `Informacje o dokumencie: ${name}` });
    await expect(info.getByText('To plik, który opublikowano')).toBeVisible();
    const sheet = info.getByRole('group', { name: /^Strona 1 z/ });
    await expect.poll(async () => wordsOf(await sheet.innerText()).length).toBeGreaterThan(20);
    await expect(info.getByText('wersja 1', { exact: true })).toBeVisible();
    await looking.screenIsAccessible('the document information', { overlapping: true });
    await info.getByRole('button', { name: 'OK', exact: true }).press('Enter');
    await expect(info).toBeHidden();
    await expect(viewer.getByRole('button', { name: 'Pokaż sam plik' })).toBeFocused();

    const opening = page.waitForEvent('popup');
    await viewer.getByRole('button', { name: 'Otwórz w nowym oknie' }).press('Enter');
    const opened = await opening;
    await expect.poll(() => opened.url()).toMatch(/^blob:/);
    await client.logsOut();
    await expect.poll(() => opened.isClosed()).toBe(true);
    looking.nothingWentWrong();
  },
);

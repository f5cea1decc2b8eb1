import { expect, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { aPaper, countPages, createPerson, publishWithCommand } from '../publisher.ts';
import { watch } from '../watch.ts';

test.skip(({ isMobile }) => isMobile, 'a phone has no keys');

test('a document by keys alone: its words are copied and found, it is enlarged, turned to from thumbnails, and read as text', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const looking = await watch(page);
  const person = await createPerson();
  const name = 'Harmonogram spłat kredytu';
  await publishWithCommand(await aPaper(3, countPages), { cif: person.cif, name: `${name}.pdf`, meta: {} });
  const client = createClient(page, 'PL');
  await client.signsIn(person);
  await client.readsAndAcceptsTheStatute();
  await client.opensReceivedDocuments();
  await client.chooses('show', name);
  const window = page.getByRole('region', { name });
  const first = window.getByRole('group', { name: 'Strona 1 z 3' });
  await expect(first.getByText(name)).toBeAttached();

  // What a screen reader reads is what stands on the page, in its order.
  const words = (await first.innerText()).split('\n').map((line) => line.trim());
  expect(words).toContain('Harmonogram spłat kredytu');
  expect(words.findIndex((line) => line.startsWith('Kredytobiorca'))).toBeLessThan(
    words.findIndex((line) => line.startsWith('Liczba rat')),
  );
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

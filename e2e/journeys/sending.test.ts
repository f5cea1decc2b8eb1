import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { byDayOn } from '../due.ts';
import { aPaper, createPerson } from '../publisher.ts';
import { watch } from '../watch.ts';

const windowNamed = (page: Page, name: string): Locator => page.getByRole('region', { name }).first();

/** Chooses in one of the fields of a file. */
const choose = async (page: Page, field: Locator, option: string | RegExp): Promise<void> => {
  await field.click();
  await page.getByRole('option', { name: option }).click();
  await expect(page.getByRole('listbox')).toBeHidden();
};

/** A slow line, so that a file is seen on its way. */
const slowDown = async (page: Page, bytesPerSecond: number): Promise<() => Promise<void>> => {
  const session = await page.context().newCDPSession(page);
  const emulate = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
  await session.send('Network.enable');
  await emulate(bytesPerSecond);
  return async () => void (await emulate(-1));
};

test('documents are sent to the bank, listed, read and downloaded', { tag: byDayOn('phone') }, async ({ page, isMobile }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const looking = await watch(page);
  const client = createClient(page);
  const pdf = Buffer.from(await aPaper(2));
  const large = Buffer.concat([pdf, Buffer.alloc(1_000_000, '\n')]);
  await client.startsAtTheDesk(await createPerson());

  const sent = windowNamed(page, 'Dokumenty wysłane');
  const sending = windowNamed(page, 'Wysyłanie dokumentów');
  const add = async (name: string, content = pdf): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await sending.getByRole('button', { name: 'Dodaj plik' }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/pdf', buffer: content });
  };
  const file = (name: string): Locator => sending.getByRole('group', { name, exact: true });
  const describe = async (name: string, type: RegExp): Promise<void> => {
    await choose(page, file(name).getByRole('button', { name: 'Kategoria' }), 'Kredyty i pożyczki');
    await choose(page, file(name).getByRole('button', { name: /Typ$/ }), type);
  };

  await test.step('the list is empty, and leads to sending', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Wysłane', exact: true }).click();
    await expect(sent.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
    await looking.screenIsAccessible('nothing sent yet');
    await sent.getByRole('button', { name: 'Wyślij dokumenty' }).first().click();
  });

  await test.step('files with their categories and types; what is missing is said', async () => {
    await add('zdjęcie.pdf', Buffer.from('no PDF'));
    await expect(sending.getByText('Nieprawidłowy format pliku')).toBeVisible();
    await add('Wniosek.pdf');
    await add('Zaświadczenie.pdf', large);
    await describe('Wniosek.pdf', /wniosek kredytowy/i);
    await sending.getByRole('button', { name: 'Dalej' }).focus();
    await page.keyboard.press('Enter');
    await expect(sending.getByText('Wybierz kategorię dokumentu', { exact: true })).toBeVisible();
    await looking.screenIsAccessible('files without a category');
    await describe('Zaświadczenie.pdf', /dochodach/);
    await sending.getByRole('button', { name: 'Dalej' }).click();
  });

  await test.step('closing asks about what is not sent', async () => {
    await sending
      .getByRole('button', { name: isMobile ? /^Wstecz/ : /^Zamknij/ })
      .first()
      .click();
    const question = page.getByRole('dialog', { name: 'Niewysłane pliki' });
    await expect(question.getByText('Czy mimo to chcesz wyjść?', { exact: false })).toBeVisible();
    await looking.screenIsAccessible('the question about unsent files');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
  });

  await test.step('both go out, one after another, and are seen on their way', async () => {
    const quickly = await slowDown(page, 150_000);
    await sending.getByRole('button', { name: 'Wyślij dokumenty' }).click();
    const progress = sending.getByRole('progressbar', { name: 'Zaświadczenie.pdf' });
    await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
    expect(Number(await progress.getAttribute('aria-valuenow'))).toBeLessThan(100);
    await expect(sending.getByRole('listitem').filter({ hasText: 'Wniosek.pdf' })).toContainText('Wysłano');
    await looking.screenIsAccessible('a file on its way');
    await quickly();
    await expect(sending.getByText('Wysłano 2 z 2.')).toBeVisible();
    await sending.getByRole('button', { name: 'Zamknij', exact: true }).last().click();
    await expect(sending).toBeHidden();
  });

  await test.step('the list has them, filters them, and hands out the very bytes', async () => {
    await expect(client.rowOf('Wniosek.pdf')).toBeVisible();
    await expect(client.rowOf('Zaświadczenie.pdf')).toContainText('Wysłany');
    await looking.screenIsAccessible('the sent documents');
    await sent.getByRole('button', { name: /^Filtry/ }).click();
    await choose(page, sent.getByRole('button', { name: /Kategoria$/ }), 'Kredyty i pożyczki');
    await choose(page, sent.getByRole('button', { name: /Typ$/ }), /dochodach/);
    await looking.screenIsAccessible('the filters of sent documents');
    await sent.getByRole('button', { name: 'Zastosuj' }).click();
    await expect(client.rowOf('Wniosek.pdf')).toBeHidden();
    await expect(client.rowOf('Zaświadczenie.pdf')).toBeVisible();
    const { name } = await client.downloads('Zaświadczenie.pdf');
    expect(name).toBe('Zaświadczenie.pdf');
  });

  await test.step('a sent document is read page by page and closed at any time', async () => {
    await client.rowOf('Zaświadczenie.pdf').getByRole('link').click();
    const preview = windowNamed(page, 'Zaświadczenie.pdf');
    await expect(preview.getByRole('img').first()).toBeVisible();
    await looking.screenIsAccessible('the preview of a sent document');
    await preview.getByRole('button', { name: 'Zamknij', exact: true }).last().click();
    await expect(preview).toBeHidden();
  });
  looking.nothingWentWrong();
});

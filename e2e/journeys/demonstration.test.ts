import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forScreen } from '../due.ts';

const password = process.env['PERGAMIN_DEMO_PASSWORD'] ?? '';
test.skip(password === '', 'a product that was started beforehand printed its demonstration password elsewhere');
const signIn = async (page: Page, personalId: string) => {
  const client = createClient(page);
  await client.opensTheSignInPage();
  await client.entersTheirId(personalId);
  await client.entersTheirPassword(password);
  return client;
};

/** '1–10 z 42' */
const rangeOf = (page: Page): Locator => page.getByRole('region', { name: /dokumenty otrzymane/i }).getByRole('status');

/** The list begins with the last three months; this shows all documents, of any age. */
const seesAllDocuments = async (page: Page): Promise<void> => {
  const list = page.getByRole('region', { name: /dokumenty otrzymane/i });
  await list.getByRole('checkbox', { name: 'Tylko nieprzeczytane' }).uncheck();
  await list.getByRole('button', { name: /Okres$/ }).click();
  await page.getByRole('option', { name: 'Bez okresu', exact: true }).click();
  await list.getByRole('textbox', { name: 'Data rejestracji: od' }).fill('01-01-2000');
  await list.getByRole('button', { name: 'Zastosuj', exact: true }).click();
  await expect(list.getByRole('list', { name: 'Aktywne filtry' })).toContainText('od 2000-01-01');
};

test('a newcomer signs in with the printed password and finds many documents, some of them read', async ({ page }) => {
  const client = await signIn(page, '10000001');
  await client.opensReceivedDocuments();
  await seesAllDocuments(page);
  await page.getByRole('button', { name: /liczba wierszy/i }).click();
  await page.getByRole('option', { name: '100', exact: true }).click();
  const documents = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect.poll(() => documents.count()).toBeGreaterThan(15);
  const unread = await documents.filter({ hasText: 'nieprzeczytany' }).count();
  expect(unread).toBeGreaterThan(0);
  expect(unread).toBeLessThan(await documents.count());
});

test('the second person comes for the first time: the terms open before everything else', async ({ page }) => {
  await signIn(page, '10000002');
  await expect(page.getByRole('region', { name: /regulamin, wersja 3/i })).toBeVisible();
  await expect(page.getByRole('button', { name: /otrzymane/i })).toHaveCount(0);
});

test(
  'the third person’s five hundred documents come while the portal is in use, and are paged through',
  { tag: forScreen('desktop', 'at night') },
  async ({ page }) => {
    test.setTimeout(240_000);
    const client = await signIn(page, '10000003');
    await client.opensReceivedDocuments();
    await expect(async () => {
      await page.reload();
      await seesAllDocuments(page);
      await expect(rangeOf(page)).toHaveText('1–10 z 200', { timeout: 3_000 });
    }).toPass({ timeout: 120_000 });
    await page.getByRole('button', { name: /ostatnia strona/i }).click();
    await expect(rangeOf(page)).toHaveText('191–200 z 200');
  },
);

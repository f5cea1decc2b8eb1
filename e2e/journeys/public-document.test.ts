import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { notDue } from '../due.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const details = /^(szczegóły dokumentu|document details)/i;

forEverybody(
  'the address of a public document opens it for everybody, without signing in',
  async ({ page, phone }) => {
    const looking = await watch(page);
    const { id } = await publish(await aPaper(2), { name: 'Taryfa opłat 2027', meta: { PUB_FILENAME: 'Taryfa opłat 2027' } });
    const answer = await page.goto(`/public/${id}`);
    expect(answer?.status()).toBe(200);
    await expect(page).toHaveTitle(/^Taryfa opłat 2027 · /);
    await expect(page.getByRole('heading', { level: 1, name: 'Taryfa opłat 2027' })).toBeVisible();
    await expect(page.getByRole('img').first()).toBeVisible();
    await looking.screenIsAccessible('a public document at its address');
    if (phone) {
      await page.getByRole('button', { name: details }).click();
      await looking.screenIsAccessible('the data of a public document on a phone');
    }
    looking.nothingWentWrong();
  },
  { byDay: 'EN, dark, desktop' },
);

const isCalmlyNotFound = async (page: Page, address: string): Promise<void> => {
  const answer = await page.goto(address);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'Nie znaleziono strony' })).toBeVisible();
};

test('an id of a private document, of none and of no shape are not found alike', { tag: [notDue.byDay] }, async ({ page }) => {
  const person = await createPerson();
  const own = await publish(await aPaper(1), { cif: person.cif, name: 'Umowa kredytu', meta: {} });
  for (const id of [own.id, randomUUID(), 'no-id']) await isCalmlyNotFound(page, `/public/${id}`);
  // Not even to the one whose document it is.
  await createClient(page).startsAtTheDesk(person);
  await isCalmlyNotFound(page, `/public/${own.id}`);
});

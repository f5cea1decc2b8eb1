import { expect, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { byDayOn } from '../due.ts';
import { createPerson } from '../publisher.ts';
import { watch } from '../watch.ts';

test('without a line a list says so, and comes by itself when the line is back', { tag: byDayOn('phone') }, async ({ page, context }) => {
  const client = createClient(page);
  const looking = await watch(page);
  const person = await createPerson();
  await client.startsAtTheDesk(person);
  await client.opensReceivedDocuments();
  await expect(page.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
  await context.setOffline(true);
  const notice = page.getByRole('paragraph').filter({ hasText: 'Brak połączenia' });
  await expect(notice).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Brak połączenia' })).toHaveCount(1);
  await looking.screenIsAccessible('a lost line');
  await page.getByRole('button', { name: 'Odśwież' }).click();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
});

test(
  'a menu that is first opened without a line says so, and opens when the line is back',
  { tag: byDayOn('phone') },
  async ({ page, context }) => {
    const person = await createPerson();
    await createClient(page).startsAtTheDesk(person);
    const account = page.getByRole('button', { name: person.fullName });
    await context.setOffline(true);
    await account.click();
    await expect(page.getByText('Nie udało się tego wczytać. Sprawdź połączenie')).toBeVisible();
    await expect(account).toBeFocused();
    await context.setOffline(false);
    await account.click();
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await expect(page.getByRole('menu'), 'with the style sheet that could not be fetched at first').toHaveCSS('padding-top', '6px');
  },
);

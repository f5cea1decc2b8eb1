import { randomUUID } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { byDayOn } from '../due.ts';
import { createPerson } from '../publisher.ts';
import { watch } from '../watch.ts';

const changed = 'Zaktualizowano pomyślnie';
const newPassword = 'Zimowe-Morze-7';

const typePasswords = async (page: Page, oldPassword: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: /zmień hasło/i });
  await dialog.getByLabel('Stare hasło', { exact: true }).fill(oldPassword);
  await dialog.getByLabel('Nowe hasło', { exact: true }).fill(newPassword);
  await dialog.getByLabel('Powtórz nowe hasło', { exact: true }).fill(newPassword);
  await dialog.getByRole('button', { name: /^zmień hasło$/i }).click();
};

test(
  'a password is changed: a wrong old one is told, other sessions end, and the new one opens the portal',
  { tag: byDayOn('desktop') },
  async ({ page, browser }) => {
    const person = await createPerson();
    const client = createClient(page);
    await client.startsAtTheDesk(person);
    const elsewhere = await browser.newPage();
    const secondClient = createClient(elsewhere);
    await secondClient.startsAtTheDesk(person);

    await client.choosesInTheAccountMenu(/zmień hasło/i);
    await expect(page.getByRole('dialog', { name: /zmień hasło/i })).toBeVisible();
    await typePasswords(page, 'Nie-to-haslo-1');
    await expect(page.getByText('Nieprawidłowe stare hasło')).toBeVisible();
    await typePasswords(page, person.password);
    await expect(page.getByText(changed)).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();

    await elsewhere
      .getByRole('button', { name: /otrzymane/i })
      .first()
      .click();
    await expect(elsewhere.getByText('Twoja sesja nie jest już aktywna').first()).toBeVisible();
    await elsewhere.close();

    await client.dismissesMessages();
    await client.logsOut();
    await client.signsIn({ ...person, password: newPassword });
    await expect(page.getByRole('button', { name: /otrzymane/i }).first()).toBeVisible();
  },
);

test('a forgotten password is set anew with a link that comes by mail', { tag: byDayOn('phone') }, async ({ page }) => {
  const looking = await watch(page);
  const email = `${randomUUID()}@poczta.example`;
  const person = await createPerson({ email });
  const client = createClient(page);
  await client.startsAtTheDesk(person);

  await client.choosesInTheAccountMenu(/zresetuj hasło/i);
  const question = page.getByRole('alertdialog', { name: /zresetuj hasło/i });
  await expect(question).toContainText('Wysłać link do zresetowania hasła?');
  await question.getByRole('button', { name: 'Wyślij link' }).click();
  await expect(page.getByText('Link do zresetowania hasła został wysłany.')).toBeVisible();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await client.logsOut();

  const letter = page.getByRole('article').filter({ hasText: email });
  await expect(async () => {
    await page.goto('/local-outbox');
    await expect(letter).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000, intervals: [200] });
  const link = /https?:\/\/\S*\/identity\/reset\S*#[\w-]{43}/.exec(await letter.innerText())?.[0] ?? '';
  await page.goto(link);
  await page.getByLabel('Nowe hasło', { exact: true }).fill(newPassword);
  await page.getByLabel('Powtórz nowe hasło').fill(newPassword);
  await page.getByRole('button', { name: 'Zapisz hasło' }).click();
  await expect(page.getByText('Hasło zostało ustawione').first()).toBeVisible();

  await client.signsIn({ ...person, password: newPassword });
  await expect(page.getByRole('button', { name: /otrzymane/i }).first()).toBeVisible();
  looking.nothingWentWrong();
});

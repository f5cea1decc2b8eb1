import { expect, test } from '@playwright/test';
import { acceptTheTermsAhead } from '../arrival.ts';
import { createClient } from '../client.ts';
import { byDayOn, forScreen, notDue } from '../due.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

test('sign-ins that were begun in two tabs both lead to the desk', { tag: byDayOn('desktop') }, async ({ page, context }) => {
  const person = await createPerson();
  await acceptTheTermsAhead(person);
  const other = await context.newPage();
  const [older, newer] = [createClient(page), createClient(other)];
  for (const tab of [older, newer]) {
    await tab.opensTheSignInPage();
    await tab.entersTheirId(person.personalId);
  }
  await newer.entersTheirPassword(person.password);
  await expect(other.getByRole('button', { name: person.fullName })).toBeVisible();
  await older.entersTheirPassword(person.password);
  await expect(page.getByRole('button', { name: person.fullName })).toBeVisible();
});

test('Back from the desk meets no page of the sign-in, after a wrong password neither', { tag: byDayOn('phone') }, async ({ page }) => {
  const person = await createPerson();
  await acceptTheTermsAhead(person);
  const client = createClient(page);
  await page.goto('/accessibility');
  await client.opensTheSignInPage();
  await client.entersTheirId(person.personalId);
  await client.entersTheirPassword('Wrong-password-1');
  await expect(page.getByRole('alert')).toContainText('Nieprawidłowe dane logowania');
  // The browser asks nothing about sending a form again.
  await page.goBack();
  await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
  await page.goForward();
  await client.entersTheirPassword(person.password);
  const desk = page
    .getByRole('main')
    .getByRole('button', { name: /otrzymane/i })
    .first();
  await expect(desk).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
  await expect(desk).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/accessibility$/);
  await page.goForward();
  await expect(desk).toBeVisible();
});

test(
  'Back on a phone closes the window on top and then leads to the desk, also after a reload',
  { tag: forScreen('phone') },
  async ({ page }) => {
    const client = createClient(page);
    await client.startsAtTheDesk(await createPerson());
    const desk = page
      .getByRole('main')
      .getByRole('button', { name: /otrzymane/i })
      .first();
    const window = page.getByRole('region', { name: /dokumenty otrzymane/i });
    await client.opensReceivedDocuments();
    await page.goBack();
    await expect(window).toBeHidden();
    await expect(desk).toBeVisible();
    await client.opensReceivedDocuments();
    await page.reload();
    await expect(window).toBeVisible();
    await page.goBack();
    await expect(window).toBeHidden();
    await expect(desk).toBeVisible();
  },
);

test('an id that cannot be one is refused without asking anybody', { tag: [notDue.byDay] }, async ({ page }) => {
  await page.goto('/login-ex');
  await page.getByLabel('Wpisz swój identyfikator').fill('a b c');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText('Nieprawidłowe dane logowania');
  await expect(page).toHaveURL(/login-ex/);
});

test('a person who will not accept the terms can read them, and leave', { tag: byDayOn('desktop') }, async ({ page }) => {
  const looking = await watch(page);
  const client = createClient(page);
  await client.signsIn(await createPerson());
  const statute = page.getByRole('region', { name: /regulamin/i }).first();
  await expect(statute).toBeVisible();
  await expect(statute.getByRole('img').first()).toBeVisible();
  await statute.getByRole('button', { name: /wyloguj/i }).click();
  await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
  looking.nothingWentWrong();
});

test(
  'after the terms were accepted the seal is explained on a document of the client, once',
  { tag: byDayOn('desktop') },
  async ({ page }) => {
    const looking = await watch(page);
    const person = await createPerson();
    await publish(await aPaper(1), { cif: person.cif, name: 'Umowa kredytu', meta: {} });
    const client = createClient(page);
    await client.signsIn(person);
    await client.readsAndAcceptsTheStatute({ isNewHere: true });
    const lesson = page.getByRole('dialog', { name: 'Każdy dokument ma swoją pieczęć' });
    await expect(lesson).toContainText('„Umowa kredytu”');
    await looking.screenIsAccessible('the seal, explained');
    await lesson.getByRole('textbox').press('End');
    await lesson.getByRole('textbox').press('Backspace');
    await expect(lesson).toContainText('Jedna zmiana: inna pieczęć');
    await page.keyboard.press('Escape');
    await expect(lesson).toBeHidden();
    await page.reload();
    await expect(page.getByRole('button', { name: person.fullName })).toBeVisible();
    await expect(lesson).toBeHidden();
    looking.nothingWentWrong();
  },
);

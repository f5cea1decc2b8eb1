import { expect, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { byDayOn, forScreen } from '../due.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

test(
  'a wrong password is told on the identity page, and the right one still opens the portal',
  { tag: byDayOn('phone') },
  async ({ page }) => {
    const person = await createPerson();
    const client = createClient(page);
    await client.opensTheSignInPage();
    await client.entersTheirId(person.personalId);
    await client.entersTheirPassword('Wrong-password-1');
    await expect(page.getByRole('alert')).toContainText('Nieprawidłowe dane logowania');
    // The browser asks nothing about sending a form again.
    await page.goBack();
    await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
    await page.goForward();
    await client.entersTheirPassword(person.password);
    await expect(page.getByRole('region', { name: /regulamin/i }).first()).toBeVisible();
  },
);

test('sign-ins that were begun in two tabs both lead to the desk', { tag: byDayOn('desktop') }, async ({ page, context }) => {
  const person = await createPerson();
  const [older, newer] = [createClient(page), createClient(await context.newPage())];
  for (const tab of [older, newer]) {
    await tab.opensTheSignInPage();
    await tab.entersTheirId(person.personalId);
  }
  await newer.entersTheirPassword(person.password);
  await newer.readsAndAcceptsTheStatute();
  await older.entersTheirPassword(person.password);
  await expect(page.getByRole('button', { name: person.fullName })).toBeVisible();
});

test('Back from the desk meets no page of the sign-in, after a wrong password neither', { tag: byDayOn('phone') }, async ({ page }) => {
  const person = await createPerson();
  const client = createClient(page);
  await page.goto('/accessibility');
  await client.opensTheSignInPage();
  await client.entersTheirId(person.personalId);
  await client.entersTheirPassword('Wrong-password-1');
  await expect(page.getByRole('alert')).toContainText('Nieprawidłowe dane logowania');
  await client.entersTheirPassword(person.password);
  await client.readsAndAcceptsTheStatute();
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

test('the public page leads to the sign-in', { tag: byDayOn('desktop') }, async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Zaloguj się' }).click();
  await expect(page).toHaveURL(/\/login-ex$/);
  await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
});

test('an id that cannot be one is refused without asking anybody', { tag: byDayOn('phone') }, async ({ page }) => {
  await page.goto('/login-ex');
  await page.getByLabel('Wpisz swój identyfikator').fill('a b c');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText('Nieprawidłowe dane logowania');
  await expect(page).toHaveURL(/login-ex/);
});

test('a person who will not accept the terms can read them, and leave', { tag: byDayOn('desktop') }, async ({ page }) => {
  const looking = await watch(page);
  const person = await createPerson();
  const client = createClient(page);
  await client.signsIn(person);
  const statute = page.getByRole('region', { name: /regulamin/i }).first();
  await expect(statute).toBeVisible();
  await expect(statute.getByRole('img').first()).toBeVisible();
  await looking.screenIsAccessible('the statute');
  await statute.getByRole('button', { name: /wyloguj/i }).click();
  await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
  looking.nothingWentWrong();
});

test('a token that was copied from the browser opens nothing elsewhere', { tag: byDayOn('desktop') }, async ({ page, playwright }) => {
  const person = await createPerson();
  const client = createClient(page);
  await client.signsIn(person);
  await expect(page.getByRole('region', { name: /regulamin/i }).first()).toBeVisible();
  const token = await page.evaluate(() => sessionStorage.getItem('authorization') ?? '');
  const elsewhere = await playwright.request.newContext({ baseURL: process.env['PERGAMIN_URL'] ?? '' });
  const answer = await elsewhere.get('/api/protected/account/self/info', { headers: { authorization: token } });
  expect(answer.status()).toBe(401);
  await elsewhere.dispose();
});

for (const address of ['/login', '/nowhere', '/login-ex?error=auth']) {
  test(
    `${address} is a calm page that everybody can use`,
    { tag: byDayOn(address === '/login' ? 'phone' : 'desktop') },
    async ({ page }) => {
      const looking = await watch(page);
      const answer = await page.goto(address);
      expect(answer?.status()).toBe(address === '/nowhere' ? 404 : 200);
      await expect(page.getByRole('main')).toBeVisible();
      await looking.screenIsAccessible(address);
    },
  );
}

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

import { expect, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { createPerson } from '../publisher.ts';
import { watch } from '../watch.ts';

const named = {
  title: /zaloguj się|sign in/i,
  refusedBefore: /nieprawidłowe dane logowania|invalid credentials|nieoczekiwany błąd|unexpected authentication/i,
  password: /^(hasło|password)$/i,
  signIn: /^(zaloguj się|sign in)$/i,
  statement: /deklaracja dostępności|accessibility statement/i,
  required: /pole wymagane|field required/i,
  forgotten: /nie pamiętam hasła|forgot/i,
  sendLink: /wyślij link|send the link|send/i,
  id: /identyfikator|client id|id/i,
  publicDocuments: /dokumenty publiczne|public documents/i,
  show: /^(pokaż|show)/i,
  backToList: /wróć do listy|back to the list/i,
  filters: /^(filtry|filters)/i,
} as const;

const speaksEnglish = async (page: Page): Promise<void> => {
  await page.goto('/login-ex');
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
};

forEverybody(
  'every page before and at the sign-in is for everybody',
  async ({ page, language, phone }) => {
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson({ email: 'ewa.probna@poczta.example' });
    const heading = page.getByRole('heading', { level: 1 });
    if (language === 'EN') await speaksEnglish(page);

    await page.goto('/login-ex');
    await expect(heading).toHaveText(named.title);
    await looking.screenIsAccessible('the sign-in page');
    expect((await page.goto('/login-ex?error=auth'))?.status()).toBe(200);
    await expect(page.getByText(named.refusedBefore).first()).toBeVisible();
    await looking.screenIsAccessible('the sign-in page after a failure');
    await page.getByRole('link', { name: named.statement }).click();
    await expect(heading).toHaveText(named.statement);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await looking.screenIsAccessible('the accessibility statement');
    expect((await page.goto('/nowhere/at-all'))?.status()).toBe(404);
    await expect(page.getByRole('main').getByRole('button')).toBeVisible();
    await looking.screenIsAccessible('an address that does not exist');

    expect((await page.goto('/login'))?.status()).toBe(200);
    const rows = page.getByRole(phone ? 'listitem' : 'row').filter({ has: page.getByRole('button') });
    await expect(rows.nth(1)).toBeVisible();
    await looking.screenIsAccessible('the public documents');
    await page.getByRole('button', { name: named.filters }).first().click();
    await looking.screenIsAccessible('the public documents, the other way about their filters');

    await page.goto('/login-ex');
    await client.entersTheirId(person.personalId);
    await expect(page.getByLabel(named.password)).toBeVisible();
    await looking.screenIsAccessible('the password page');
    await client.entersTheirPassword('not-the-password-1');
    await expect(page.getByText(named.refusedBefore).first()).toBeVisible();
    await looking.screenIsAccessible('the password page after a wrong one');
    await page.getByRole('link', { name: named.forgotten }).click();
    await expect(heading).toHaveText(named.forgotten);
    await looking.screenIsAccessible('the forgotten password');
    await page.getByRole('button', { name: named.sendLink }).click();
    await looking.screenIsAccessible('the forgotten password, asked for');
  },
  { byDay: 'EN, light, phone' },
);

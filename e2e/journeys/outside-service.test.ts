import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type OutsideService, startOutsideService } from '@pergamin/server/testing/outside-service';
import { createClient } from '../client.ts';
import { isNight } from '../due.ts';
import { freePort, leadTo, type RunningProduct, startProduct } from '../product.ts';
import { createPerson, type Person } from '../publisher.ts';
import { keepSecretsOf } from '../secrets.ts';
import { type Watch, watch } from '../watch.ts';

const phone = { width: 390, height: 844 };

// Playwright asks for the address of the product before it is started.
const port = await freePort();
const portal = `http://localhost:${port}`;

let product: RunningProduct;
let service: OutsideService;
let leadBack: (() => void) | undefined;

/** A portal of its own, whose settings name an OpenID provider that runs outside of it. */
const startBoth = async (): Promise<void> => {
  service = await startOutsideService('company', portal, { hasPage: true });
  service.deliverTo(async ({ url, contentType, body }) => {
    const answer = await fetch(new URL(url, portal), { method: 'POST', headers: { 'content-type': contentType }, body });
    return answer.status;
  });
  product = await startProduct({
    dataFolder,
    port,
    logFile: path.join(import.meta.dirname, '../test-results/outside-service.log'),
    environment: { DEMO: 'off', IDENTITY_SERVICES: JSON.stringify([service.setting({ name: 'Konto firmowe', sso: {} })]) },
  });
  leadBack = leadTo(product, dataFolder);
};

// A product of their own takes seconds to start: one worker goes through all of them.
test.describe.configure({ mode: 'default' });

let dataFolder: string;

test.beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'pergamin-outside-'));
  await startBoth();
});

test.afterAll(async () => {
  leadBack?.();
  await product.stop();
  await service[Symbol.asyncDispose]();
  await rm(dataFolder, { recursive: true, force: true });
});

test.use({
  baseURL: portal,
  context: async ({ context }, use) => {
    keepSecretsOf(context);
    await use(context);
  },
});

const known = ({ personalId }: Person) => ({ subject: personalId, personalId });
const assertionFor = (person: Person): Promise<string> => service.assertionFor(known(person));

const atTheService = async (): Promise<Person> => {
  const person = await createPerson({ managed: true });
  service.signInAs(known(person));
  return person;
};

const continuesAtTheService = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'Outside account' })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(service.issuer);
  await page.getByRole('button', { name: /^Continue as/ }).click();
};

const isInTheWorkspace = async (page: Page, person: Person): Promise<void> => {
  await expect(page.getByRole('button', { name: person.fullName })).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/`);
};

/** At night on a phone, too. */
const isAccessible = async (page: Page, looking: Watch, name: string): Promise<void> => {
  await looking.screenIsAccessible(name);
  if (!isNight) return;
  await page.setViewportSize(phone);
  await looking.screenIsAccessible(`${name}, on a phone`);
  await page.setViewportSize({ width: 1440, height: 900 });
};

const signInField = (page: Page) => page.getByLabel('Wpisz swój identyfikator');
const question = (page: Page) => page.getByRole('main').getByText('Logujesz się jako E*** P***. Kontynuować?');
const tokenOf = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('authorization'));

/** No address that this tab has been at, or can go back to, holds it. */
const leavesNoTraceOf = async (page: Page, secret: string): Promise<void> => {
  expect(page.url()).not.toContain(secret);
  await page.goBack();
  expect(page.url()).not.toContain(secret);
  await page.goForward();
};

test('a button of its own leads to the outside service, from there to the workspace, and a logout ends both', async ({ page }) => {
  const looking = await watch(page);
  const person = await atTheService();
  const client = createClient(page);
  await client.opensTheSignInPage();
  const button = page.getByRole('group', { name: 'Inne sposoby logowania' }).getByRole('button', { name: 'Konto firmowe' });
  await expect(button).toBeVisible();
  await isAccessible(page, looking, 'the sign-in page with another way in');

  await button.click();
  await continuesAtTheService(page);
  await isInTheWorkspace(page, person);

  await client.choosesInTheAccountMenu(/wyloguj się/i);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(`${product.url}/login-ex`);
  await expect(signInField(page)).toBeVisible();
  looking.nothingWentWrong();
});

test('whom another portal vouches for is asked whether it is them, and is in; the same word counts once', async ({ page }) => {
  const looking = await watch(page);
  const person = await atTheService();
  const assertion = await assertionFor(person);
  await page.goto('/login');
  await page.goto(`/sso/${assertion}`);
  await expect(question(page)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/sso`);
  await isAccessible(page, looking, 'the question who is signing in');
  await page.getByRole('button', { name: 'Kontynuuj' }).click();
  await isInTheWorkspace(page, person);

  // The same person again, with a new word: there is nothing to ask.
  await page.goto(`/sso/#${await assertionFor(person)}`);
  await isInTheWorkspace(page, person);
  looking.nothingWentWrong();
  await leavesNoTraceOf(page, assertion);

  await page.goto(`/sso/${assertion}`);
  await expect(page.getByText('Nieoczekiwany błąd uwierzytelniania')).toBeVisible();
});

test('a person who denies being the proposed one is not signed in', async ({ page }) => {
  await page.goto(`/sso/#${await assertionFor(await atTheService())}`);
  await expect(question(page)).toBeVisible();
  await page.getByRole('button', { name: 'Anuluj' }).click();
  await expect(signInField(page)).toBeVisible();
  expect(await tokenOf(page)).toBeNull();
});

test('a link that requires the service goes straight there, and a logout there ends the session in the tab that is open here', async ({
  page,
  context,
}) => {
  const person = await atTheService();
  await page.goto('/oauth?required=company');
  await continuesAtTheService(page);
  await isInTheWorkspace(page, person);

  const there = await context.newPage();
  await there.goto(`${service.issuer}/session/end`);
  await there.getByRole('button', { name: 'Log out' }).click();
  await expect(there).toHaveURL(/\/session\/end\/success/);

  // The tab asks for news by itself, too: it may have noticed before the press.
  const tile = page.getByRole('button', { name: /otrzymane/i }).first();
  await tile.or(signInField(page)).first().waitFor();
  await tile.click({ timeout: 5_000 }).catch(() => expect(signInField(page)).toBeVisible());
  await expect(page.getByText('Twoja sesja nie jest już aktywna').first()).toBeVisible();
  await expect(signInField(page)).toBeVisible();
  expect(await tokenOf(page)).toBeNull();
});

import { expect, test, type Page, type Request } from '@playwright/test';
import { sessionLimits } from '@pergamin/contract';
import { acceptTheTermsAhead } from '../arrival.ts';
import { createClient } from '../client.ts';
import { createPerson } from '../publisher.ts';
import { watch } from '../watch.ts';

const idleMs = sessionLimits.idleMinutes * 60_000;
/**
 * Holds back the calls of a page that would set its clock right again after a leap, as any answer does; those under way are awaited first. The
 * bell asks by itself, and the register is compared once the page is idle.
 */
const createConnection = (page: Page) => {
  const [underWay, held] = [new Set<Request>(), new Set<Request>()];
  const calls = /\/api\/(?:protected|open\/ledger)/;
  page.on('request', (request) => void (calls.test(request.url()) && underWay.add(request)));
  page.on('requestfinished', (request) => void underWay.delete(request));
  page.on('requestfailed', (request) => void underWay.delete(request));
  return {
    async hold(): Promise<void> {
      await page.route(calls, (route) => void held.add(route.request()));
      await expect.poll(() => [...underWay].filter((request) => !held.has(request)).map((request) => request.url())).toEqual([]);
    },
    release: () => page.unroute(calls),
  };
};
const tokenOf = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('authorization'));
const signInField = (page: Page) => page.getByLabel('Wpisz swój identyfikator');
const accountMenuOf = (page: Page, name: string) => page.getByRole('button', { name });
const warningOn = (page: Page) => page.getByRole('region', { name: 'Koniec sesji' });

test('the last sign-in applies to every tab, with that person’s own desk', async ({ page, context }) => {
  const [ewa, ada] = [await createPerson(), await createPerson({ firstName: 'Ada' })];
  await acceptTheTermsAhead(ada);
  const first = createClient(page);
  await first.startsAtTheDesk(ewa);
  await first.opensReceivedDocuments();

  const other = await context.newPage();
  const second = createClient(other);
  await second.signsIn(ada);
  await expect(accountMenuOf(other, ada.fullName)).toBeVisible();

  await expect(page.getByRole('region', { name: /dokumenty otrzymane/i })).toBeHidden();
  await expect(accountMenuOf(page, ada.fullName)).toBeVisible();
  expect(await tokenOf(page)).toBe(await tokenOf(other));
});

test('a new tab is signed in at once, and a logout in one tab ends the other', async ({ page, context }) => {
  const client = createClient(page);
  await client.startsAtTheDesk(await createPerson());
  const other = await context.newPage();
  await other.goto('/');
  await expect(accountMenuOf(other, 'Ewa Próbna')).toBeVisible();

  await client.logsOut();
  await expect(other.getByText('Twoja sesja nie jest już aktywna').first()).toBeVisible();
  await expect(signInField(other)).toBeVisible();
  expect(await tokenOf(other)).toBeNull();
});

test('the end of a session is warned of, a refresh keeps it in every tab, and the end itself leads to the sign-in', async ({
  page,
  context,
}) => {
  const looking = await watch(page);
  const connection = createConnection(page);
  await page.clock.install();
  const client = createClient(page);
  await client.startsAtTheDesk(await createPerson());
  const other = await context.newPage();
  await other.goto('/');
  await expect(accountMenuOf(other, 'Ewa Próbna')).toBeVisible();
  const before = await tokenOf(page);

  await connection.hold();
  await page.clock.fastForward(idleMs - sessionLimits.warningBeforeEndMs + 10_000);
  await expect(warningOn(page)).toBeVisible();
  await expect(warningOn(page).getByRole('timer')).toHaveText(/^(1:[012]|0:[0-5])\d$/);
  await warningOn(page).getByRole('button', { name: 'Przedłuż sesję' }).click();
  await expect(warningOn(page)).toBeHidden();
  await connection.release();
  expect(await tokenOf(page)).not.toBe(before);
  await expect.poll(() => tokenOf(other)).toBe(await tokenOf(page));
  await client.opensReceivedDocuments();
  await expect(page.getByRole('region', { name: /dokumenty otrzymane/i })).toContainText('Brak danych');

  // A tab alone has no sibling that could tell it of a later end of the session.
  await other.close();
  await connection.hold();
  await page.clock.fastForward(2 * idleMs);
  await expect(signInField(page)).toBeVisible();
  await expect(page.getByText('Twoja sesja nie jest już aktywna').first()).toBeVisible();
  expect(await tokenOf(page)).toBeNull();
  looking.nothingWentWrong();
});

test('single sign-on with something that is no assertion says so and leads to the sign-in', async ({ page }) => {
  await page.goto('/sso/#nothing.to.see');
  await expect(page).toHaveURL(/\/sso$/);
  await expect(page.getByText('Nieoczekiwany błąd uwierzytelniania')).toBeVisible();
  await expect(signInField(page)).toBeVisible();
});

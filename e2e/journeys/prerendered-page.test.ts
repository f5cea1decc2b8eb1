import { expect, test, type Page } from '@playwright/test';
import { byDayOn } from '../due.ts';
import { createPerson } from '../publisher.ts';
import { watch } from '../watch.ts';

const ownId = 'Wpisz swój identyfikator';

/** A line so slow that the code of a page has not come yet; answers what lets it come. */
const holdTheCode = async (page: Page): Promise<() => Promise<void>> => {
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/index-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  return async () => {
    held.resolve();
    await page.waitForLoadState('load');
  };
};

/** As Firefox does it, which paints what it has while it waits for a script. */
const paintWithoutWaiting = async (page: Page): Promise<void> =>
  void (await page.route('**/login-ex', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('blocking="render"', '') });
  }));

/** Until something is painted: a person presses only what can be seen. */
const openEarly = async (page: Page): Promise<void> => {
  await page.goto('/login-ex', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
};

test('the sign-in page is painted before its code runs, and keeps what is typed into it', { tag: byDayOn('desktop') }, async ({ page }) => {
  const looking = await watch(page);
  const letTheCodeCome = await holdTheCode(page);
  await openEarly(page);
  await expect(page.getByRole('heading', { name: 'Zaloguj się' })).toBeVisible();
  await looking.screenIsAccessible('the sign-in page before its code');
  const field = page.getByLabel(ownId);
  await field.click();
  await page.keyboard.type('1000');
  await expect(page.getByRole('button', { name: 'Zaloguj się' })).toBeDisabled();
  await letTheCodeCome();
  await expect(page.getByRole('button', { name: 'Zaloguj się' })).toBeEnabled();
  await page.keyboard.type('0001');
  await expect(field).toHaveValue('10000001');
  await expect(field).toBeFocused();
  looking.nothingWentWrong();
});

test(
  'Enter that is pressed before the code of the sign-in page is there leads to the password all the same',
  { tag: byDayOn('phone') },
  async ({ page }) => {
    const person = await createPerson();
    const letTheCodeCome = await holdTheCode(page);
    await openEarly(page);
    await page.getByLabel(ownId).fill(person.personalId);
    await page.keyboard.press('Enter');
    await letTheCodeCome();
    await expect(page.getByLabel('Hasło', { exact: true })).toBeVisible();
  },
);

test(
  'a language that is chosen before the code of the sign-in page is there is spoken all the same',
  { tag: byDayOn('desktop') },
  async ({ page }) => {
    const letTheCodeCome = await holdTheCode(page);
    await openEarly(page);
    await page.getByRole('button', { name: 'English' }).click();
    await letTheCodeCome();
    await expect(page.getByLabel('Enter Your ID')).toBeVisible();
  },
);

for (const browser of ['waits for the choice', 'does not wait'] as const)
  test(
    `a browser that ${browser} never shows the sign-in page in another language or other colours than the chosen ones`,
    { tag: byDayOn(browser === 'does not wait' ? 'desktop' : 'phone') },
    async ({ page, context }) => {
      const looking = await watch(page);
      await page.goto('/login-ex');
      await page.getByRole('button', { name: 'English' }).click();
      await expect(page.getByLabel('Enter Your ID')).toBeVisible();
      await context.addCookies([{ name: 'theme', value: 'dark', url: page.url() }]);
      // Records what the first paint shows, and each later layout shift.
      await page.addInitScript(() => {
        const seen: string[] = [];
        Reflect.set(globalThis, 'seen', seen);
        const look = () => {
          const title = document.querySelector('h1');
          if (title?.checkVisibility({ visibilityProperty: true }))
            seen.push(`${document.documentElement.lang} ${title.textContent} ${getComputedStyle(document.body).colorScheme}`);
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      const letTheCodeCome = await holdTheCode(page);
      if (browser === 'does not wait') await paintWithoutWaiting(page);
      const choice = Promise.withResolvers<void>();
      await page.route('**/assets/before-paint-*.js', async (route) => {
        await choice.promise;
        await route.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      await expect(page.getByRole('heading', { includeHidden: true })).toHaveCount(1);
      await expect(page.getByRole('heading')).toHaveCount(0);
      choice.resolve();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await looking.screenIsAccessible('the sign-in page before its code, dark');
      await letTheCodeCome();
      await page.getByLabel('Enter Your ID').fill('1');
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
      const seen: unknown = await page.evaluate(() => Reflect.get(globalThis, 'seen'));
      expect(new Set(Array.isArray(seen) ? seen : [])).toEqual(new Set(['en Sign in dark']));
      looking.nothingWentWrong();
    },
  );

test(
  'a browser without scripts is told that it needs them, and gets no form that would not answer',
  { tag: byDayOn('phone') },
  async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${process.env['PERGAMIN_URL']}/login-ex`);
    await expect(page.locator('body')).toHaveText(/The portal needs JavaScript\.$/, { useInnerText: true });
    await expect(page.getByLabel(ownId)).toBeHidden();
    await context.close();
  },
);

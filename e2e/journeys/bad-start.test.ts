import { expect, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { createPerson } from '../publisher.ts';
import { watch } from '../watch.ts';

const sentences = '**/resources/r/lang?*';

test('sentences that cannot be fetched: the last good copy serves and says so, and in a browser without one both languages tell', async ({
  page,
  browser,
}) => {
  const client = createClient(page);
  await client.opensTheSignInPage();
  // The copy is written after the page has been shown.
  await expect.poll(() => page.evaluate(async () => (await caches.match('/resources/r/lang?lang=PL')) !== undefined)).toBe(true);
  for (const failing of ['abort', 'refuse', 'nonsense'] as const)
    await test.step(failing, async () => {
      await page.route(sentences, (route) => {
        if (failing === 'abort') return route.abort();
        return failing === 'refuse' ? route.fulfill({ status: 503, json: {} }) : route.fulfill({ body: '<!doctype html>' });
      });
      await page.reload();
      await expect(page.getByText('Nie udało się wczytać tekstów. Widzisz ich wcześniejszą wersję')).toBeVisible();
      await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
      await page.unroute(sentences);
    });

  const stranger = await browser.newContext();
  const first = await stranger.newPage();
  await first.route(sentences, (route) => route.fulfill({ status: 503, json: {} }));
  await first.goto('/login-ex');
  await expect(first.getByText('Błąd sieci')).toBeVisible();
  await expect(first.getByText('Network Error')).toBeVisible();
  await first.unroute(sentences);
  await first.getByRole('button', { name: /spróbuj ponownie/i }).click();
  await expect(first.getByLabel('Wpisz swój identyfikator')).toBeVisible();
  await stranger.close();
});

test('a page whose code does not come says so, and is there when it is loaded again', async ({ page }) => {
  const looking = await watch(page);
  const code = '**/assets/SignIn-*.js';
  await page.route(code, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Nie udało się wczytać strony' })).toBeVisible();
  await looking.screenIsAccessible('a page that did not come');
  await page.unroute(code);
  await page.getByRole('button', { name: 'Wczytaj stronę ponownie' }).click();
  await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
});

test('a stored layout of another person, or a malformed one, opens no window and is removed', async ({ page }) => {
  const client = createClient(page);
  await client.startsAtTheDesk(await createPerson());
  const open = { maximised: false, params: {} };
  const layouts = {
    'pergamin.layout.1.somebody-else': { windows: [{ ...open, id: 'received', kind: 'received' }], order: ['received'] },
    ours: { windows: [{ ...open, id: 'spy', kind: 'spy' }, { id: 7 }], order: 'spy' },
  };
  const ours = await page.evaluate((kept) => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('pergamin.layout.')) ?? 'pergamin.layout.1.nobody';
    sessionStorage.setItem(key, JSON.stringify(kept.ours));
    sessionStorage.setItem('pergamin.layout.1.somebody-else', JSON.stringify(kept['pergamin.layout.1.somebody-else']));
    return key;
  }, layouts);
  await page.reload();
  await expect(page.getByRole('main').getByRole('button', { name: 'Otrzymane' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Otwarte okna' }).getByRole('paragraph')).toHaveText('Brak otwartych okien');
  const left = await page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('pergamin.layout.')));
  expect(left.filter((key) => key !== ours)).toEqual([]);
});

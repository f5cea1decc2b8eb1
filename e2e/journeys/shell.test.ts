import { expect, test, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forScreen } from '../due.ts';
import { createPerson } from '../publisher.ts';

type Box = readonly number[] | undefined;

/** Where the parts of the header and the print are, in px. Pictures that only decorate have no role. */
const measure = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const box = (element: Element | null | undefined): Box => {
      const { x, y, width, height } = element?.getBoundingClientRect() ?? {};
      return x === undefined || y === undefined || width === undefined || height === undefined
        ? undefined
        : [x, y, width, height].map((value) => Math.round(value * 10) / 10);
    };
    const header = document.querySelector('header');
    const logo = header?.querySelector('img');
    const words = logo?.nextElementSibling;
    return {
      header: box(header),
      logo: box(logo),
      product: box(words?.firstElementChild),
      organisation: box(words?.lastElementChild),
      languages: box(header?.querySelector('[lang]')?.parentElement),
      print: box(document.querySelector('svg[class*="print"]')),
      ground: getComputedStyle(document.querySelector('svg[class*="print"]')?.parentElement ?? document.body).backgroundImage,
      theme: document.documentElement.dataset['theme'],
    };
  });

for (const size of [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
])
  test(
    `from the sign-in to the desk nothing of the header moves, and no other colours are seen, at ${size.width} × ${size.height}`,
    { tag: size.width < 870 ? forScreen('phone', 'at night') : forScreen('desktop') },
    async ({ page, context, baseURL }) => {
      await page.setViewportSize(size);
      await context.addCookies([{ name: 'theme', value: 'dark', url: baseURL ?? '' }]);
      const client = createClient(page);
      const person = await createPerson();
      await client.opensTheSignInPage();
      const atFirst = await measure(page);
      expect(atFirst).toMatchObject({ theme: 'dark', logo: [expect.any(Number), expect.any(Number), 36, 36] });
      await client.entersTheirId(person.personalId);
      await expect(page.getByLabel('Hasło', { exact: true })).toBeVisible();
      expect(await measure(page)).toEqual(atFirst);
      await client.entersTheirPassword('Wrong-password-1');
      await expect(page.getByRole('alert')).toBeVisible();
      expect(await measure(page)).toEqual(atFirst);
      // On a phone the window of the terms covers the header, and that of the desk begins with its menu.
      if (size.width < 870) return;
      const { header, logo, product, organisation, theme } = atFirst;
      const same = { header, logo, product, organisation, theme };
      await client.entersTheirPassword(person.password);
      await expect(page.getByRole('region', { name: /regulamin/i }).first()).toBeVisible();
      expect(await measure(page)).toMatchObject(same);
      await client.readsAndAcceptsTheStatute();
      expect(await measure(page)).toMatchObject(same);
    },
  );

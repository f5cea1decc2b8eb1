import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forScreen } from '../due.ts';
import { cutOff, doubleText, sidewaysPx, spaceOutText } from '../fit.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';

const name = 'Zawiadomienie o zmianie oprocentowania kredytu hipotecznego KH-2026-04417';
const windowNamed = (page: Page, title: string | RegExp): Locator => page.getByRole('region', { name: title }).first();

const withDocument = async () => {
  const person = await createPerson({ email: 'ewa.probna@poczta.example' });
  await publish(await aPaper(1), { cif: person.cif, name: `${name}.pdf`, meta: { REG_DATE: '2026-11-18' } });
  return person;
};

// `desktop` sees 200 % and wide text spacing by day.
for (const { what, size, spaced, time } of [
  { what: '320 px', size: { width: 320, height: 640 }, spaced: false, time: 'always' },
  { what: '200 %', size: { width: 720, height: 450 }, spaced: false, time: 'at night' },
  { what: 'wide text spacing', size: { width: 1440, height: 900 }, spaced: true, time: 'at night' },
] as const) {
  test(`at ${what} every screen fits: before, at and after the sign-in`, { tag: forScreen('desktop', time) }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    const phone = size.width < 870;
    const client = createClient(page);
    const person = await withDocument();
    const fits = async (where: string): Promise<void> => {
      if (spaced) await spaceOutText(page);
      expect.soft(await sidewaysPx(page), where).toBeLessThanOrEqual(0);
      expect.soft(await cutOff(page), where).toEqual([]);
    };

    await page.goto('/login-ex?error=auth');
    await expect(page.getByRole('button', { name: 'Zaloguj się' })).toBeVisible();
    await fits('the sign-in page with an error');
    await page.goto('/nowhere/at-all');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await fits('an address that does not exist');
    await page.goto('/login');
    await expect(page.getByRole('button', { name: /^filtry/i }).first()).toBeVisible();
    await fits('the public documents');

    await page.goto('/login-ex');
    await client.entersTheirId(person.personalId);
    await client.entersTheirPassword('not-the-password-1');
    await expect(page.getByText('Nieprawidłowe dane logowania')).toBeVisible();
    await fits('the password page with an error');
    await page.getByRole('link', { name: 'Nie pamiętam hasła' }).click();
    await expect(page.getByRole('button', { name: 'Wyślij link' })).toBeVisible();
    await fits('the forgotten password');

    await client.signsIn(person);
    await expect(
      windowNamed(page, /regulamin/i)
        .getByRole('img')
        .first(),
    ).toBeVisible();
    await fits('the statute');
    await client.readsAndAcceptsTheStatute();
    await fits('the desk');

    await page.getByRole('button', { name: /^powiadomienia/i }).click();
    await expect(page.getByRole('dialog', { name: 'Powiadomienia' })).toBeVisible();
    await fits('the notifications');
    await page.keyboard.press('Escape');

    for (const entry of ['Zmień hasło', 'Wybierz język', 'Wygląd', 'Skróty klawiszowe']) {
      await client.choosesInTheAccountMenu(entry);
      await expect(page.getByRole('dialog')).toBeVisible();
      await fits(`the dialog “${entry}”`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
    for (const entry of ['Konto użytkownika', 'Co nowego']) {
      await client.choosesInTheAccountMenu(entry);
      await expect(windowNamed(page, entry).getByRole('button', { name: /^(anuluj|zamknij)$/i })).toBeVisible();
      await fits(`the window “${entry}”`);
    }
    if (phone) await client.goesBackToTheDesk();

    if (phone) {
      await client.opensTheMenu();
      await fits('the drawer');
      await page.getByRole('button', { name: 'Szukaj wszędzie' }).click();
    } else await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Szukaj wszędzie' })).toBeFocused();
    await expect(page.getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Zamknij wyszukiwanie' })).toBeInViewport({ ratio: 1 });
    await fits('the palette');
    await page.keyboard.press('Escape');

    await client.opensReceivedDocuments();
    const list = windowNamed(page, /^dokumenty otrzymane$/i);
    await expect(client.rowOf(name)).toBeVisible();
    await fits('a list');
    const filters = list.getByRole('button', { name: /^filtry/i }).first();
    if ((await filters.getAttribute('aria-expanded')) === 'false') {
      await filters.click();
      await fits('its filters');
      await filters.click();
    }
    await client.chooses('show', name);
    await expect(windowNamed(page, name).getByRole('img').first()).toBeVisible();
    await fits('a document');
  });
}

test('with text twice as large the menu is found, and a list has the form of a phone, its values beside what can be done', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const client = createClient(page);
  await client.startsAtTheDesk(await withDocument());
  await doubleText(page);
  await page.getByRole('button', { name: 'Otwórz menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Dokumenty otrzymane' }).click();
  const row = page.getByRole('listitem').filter({ hasText: name });
  await expect(row).toBeVisible();
  expect(await sidewaysPx(page)).toBeLessThanOrEqual(0);
  expect(await cutOff(page)).toEqual([]);
  const day = await row.getByText('2026-11-18').boundingBox();
  const more = row.getByRole('button', { name: /^więcej działań/i });
  expect((day?.x ?? 0) + (day?.width ?? 0)).toBeLessThanOrEqual((await more.boundingBox())?.x ?? 0);
  await more.click();
  await expect(page.getByRole('menuitem', { name: /^pobierz/i })).toBeVisible();
});

test('in forced colours the front window, the current tab and the focus are still told apart', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const client = createClient(page);
  await client.startsAtTheDesk(await withDocument());
  await client.opensReceivedDocuments();
  await client.chooses('show', name);
  const behind = windowNamed(page, /^dokumenty otrzymane$/i);
  const inFront = windowNamed(page, name);
  await expect(inFront.getByRole('img').first()).toBeVisible();
  const outlineOf = (element: Locator) => element.evaluate((node) => getComputedStyle(node).outlineStyle);
  await expect.poll(() => outlineOf(inFront)).toBe('solid');
  expect(await outlineOf(behind)).toBe('none');

  const tabs = page.getByRole('navigation', { name: 'Otwarte okna' });
  const edgeOf = (tab: Locator) =>
    tab.evaluate((node) => {
      let widest = 0;
      for (let box: Element | null = node; box !== null && box.tagName !== 'NAV'; box = box.parentElement)
        widest = Math.max(widest, Number.parseFloat(getComputedStyle(box).borderTopWidth));
      return widest;
    });
  expect(await edgeOf(tabs.getByRole('button', { name, exact: true }))).toBeGreaterThan(
    await edgeOf(tabs.getByRole('button', { name: /^dokumenty otrzymane$/i })),
  );

  const button = inFront.getByRole('button', { name: /^menu okna/i });
  await page.keyboard.press('Tab');
  await button.focus();
  expect(await button.evaluate((node) => Number.parseFloat(getComputedStyle(node).outlineWidth))).toBeGreaterThanOrEqual(2);
});

test('a window that is filled travels, and with reduced motion it is there at once', async ({ page }) => {
  const client = createClient(page);
  await client.startsAtTheDesk(await createPerson());
  await client.opensReceivedDocuments();
  const list = windowNamed(page, /^dokumenty otrzymane$/i);
  await expect(list.getByText('Brak danych').first()).toBeVisible();
  for (const { motion, button, moves } of [
    { motion: 'no-preference', button: 'Maksymalizuj', moves: true },
    { motion: 'reduce', button: 'Przywróć', moves: false },
    { motion: 'reduce', button: 'Maksymalizuj', moves: false },
  ] as const)
    await test.step(`${button}, with motion “${motion}”`, async () => {
      await page.emulateMedia({ reducedMotion: motion });
      // Waits for the animations of the step before to end.
      await list.evaluate((element) => Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)));
      const moving = await list.evaluate((element, name) => {
        const found = [...element.querySelectorAll('button')].find(({ ariaLabel, title, textContent }) =>
          (ariaLabel ?? (title || textContent)).startsWith(name),
        );
        if (found === undefined) throw new Error(`the window has no button “${name}”`);
        found.click();
        return new Promise<number>((resolve) => {
          requestAnimationFrame(() => resolve(document.getAnimations().filter(({ playState }) => playState === 'running').length));
        });
      }, button);
      expect(moving > 0).toBe(moves);
    });
});

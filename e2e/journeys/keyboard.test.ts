import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient, readOn } from '../client.ts';
import { notDue } from '../due.ts';
import { createKeyboard } from '../keyboard.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });
const windowNamed = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name }).first();
const titleOf = (window: Locator): Locator => window.getByRole('heading', { level: 2 });

/** PageDown on the pages until the button at the end can be pressed. */
const readsByKeys = async (page: Page, window: Locator, end: Locator): Promise<void> => {
  const keys = createKeyboard(page);
  await expect(window.getByRole('img').first()).toBeVisible();
  await keys.tabsTo(window.getByRole('region', { name: 'Strony dokumentu' }));
  await readOn(window, (timeout) => expect(end).not.toHaveAttribute('aria-disabled', 'true', { timeout }));
};

test('the whole path without a mouse: signing in, the terms, a document read to its end, signing out', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const looking = await watch(page);
  const keys = createKeyboard(page);
  const person = await createPerson();
  const name = 'Umowa kredytu KH-2026-04417';
  const meta = { PRIV_CASE_NUMBER: 'KH/2026/04417', REG_DATE: '2026-11-18' };
  await publish(await aPaper(3), { cif: person.cif, name: `${name}.pdf`, meta });

  // The page asks for one thing, and that has the focus already.
  await page.goto('/login-ex');
  await expect(field(page, 'Wpisz swój identyfikator')).toBeFocused();
  await keys.type(person.personalId);
  await keys.press('Enter');
  await expect(field(page, 'Hasło')).toBeFocused();
  await keys.type(person.password);
  await keys.press('Enter');

  const statute = windowNamed(page, /regulamin/i);
  await expect(titleOf(statute)).toBeFocused();
  const accept = statute.getByRole('button', { name: /akceptuję/i });
  await readsByKeys(page, statute, accept);
  await keys.tabsTo(accept);
  await keys.press('Enter');
  await expect(page.getByText('Regulamin został zaakceptowany')).toBeVisible();

  await expect(page.getByRole('dialog', { name: 'Każdy dokument ma swoją pieczęć' })).toBeVisible();
  await keys.press('Escape');
  const received = page.getByRole('button', { name: /^Otrzymane/ });
  await keys.tabsTo(received);
  await keys.press('Enter');
  const list = windowNamed(page, /dokumenty otrzymane/i);
  await expect(titleOf(list)).toBeFocused();
  const opener = list.getByRole('link', { name });
  await keys.tabsTo(opener);
  await keys.press('Enter');

  const document = windowNamed(page, name);
  await expect(titleOf(document)).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(`^${name}`));
  const close = document.getByRole('button', { name: 'Zamknij', exact: true });
  const end = document.getByRole('button', { name: /^(gotowe|zamknij)$/i });
  await readsByKeys(page, document, end);
  await keys.tabsTo(close);
  await keys.press('Enter');
  await expect(page.getByText('Dokument został oznaczony jako przeczytany')).toBeVisible();
  await expect(document).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(list.getByRole('row').filter({ hasText: name })).not.toContainText('nieprzeczytany');

  // F6 goes round the regions: from the window over the tab strip to the toolbar.
  const account = page.getByRole('button', { name: `Menu użytkownika: ${person.fullName}` });
  await keys.press('F6');
  await keys.press('F6');
  await keys.tabsTo(account);
  await keys.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Wyloguj się' })).toBeFocused();
  await keys.press('Enter');
  await expect(field(page, 'Wpisz swój identyfikator')).toBeFocused();
  looking.nothingWentWrong();
});

test(
  'windows are moved, resized, snapped, filled and closed by keys, and Escape takes a move back',
  { tag: [notDue.byDay] },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const keys = createKeyboard(page);
    const person = await createPerson();
    const client = createClient(page);
    await client.startsAtTheDesk(person);
    await client.opensReceivedDocuments();
    const list = windowNamed(page, /dokumenty otrzymane/i);
    const title = titleOf(list);
    const rect = async () => (await list.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const before = await rect();

    await test.step('F6 comes back to the title from everywhere', async () => {
      await page.getByRole('button', { name: /^Otrzymane/ }).focus();
      await keys.press('F6');
      await expect(title).toBeFocused();
      await keys.seesTheFocus();
    });
    await test.step('M moves', async () => {
      await keys.press('m');
      await keys.press('ArrowRight');
      await keys.press('ArrowDown');
      await expect.poll(rect).not.toEqual(before);
      await keys.press('Escape');
      await expect.poll(rect).toEqual(before);
      await keys.press('m');
      await keys.press('Shift+ArrowRight');
      await keys.press('Enter');
      await expect.poll(rect).toEqual({ ...before, x: before.x + 1 });
    });
    await test.step('S resizes', async () => {
      await keys.press('s');
      await keys.press('ArrowLeft');
      await keys.press('Enter');
      await expect.poll(async () => (await rect()).width).toBeLessThan(before.width);
    });
    await test.step('the window menu snaps, and the focus comes back to its button', async () => {
      const menu = list.getByRole('button', { name: /menu okna/i });
      await keys.tabsTo(menu);
      await keys.press('Enter');
      const items = page.getByRole('menuitem');
      await expect(items.first()).toBeFocused();
      await keys.type('Przypnij do lewej p');
      await expect(items.filter({ hasText: 'Przypnij do lewej połowy' })).toBeFocused();
      await keys.press('Enter');
      await expect.poll(async () => (await rect()).x).toBeLessThan(20);
      await expect(menu).toBeFocused();
      await keys.press('Enter');
      await expect(items.first()).toBeFocused();
      await keys.press('Escape');
      await expect(menu).toBeFocused();
    });
    await test.step('X fills the desk and gives the place back', async () => {
      const snapped = await rect();
      await keys.press('F6');
      await keys.press('Shift+F6');
      await expect(title).toBeFocused();
      await keys.press('x');
      await expect.poll(async () => (await rect()).width).toBeGreaterThan(snapped.width * 1.5);
      await keys.press('x');
      await expect.poll(rect).toEqual(snapped);
    });
    await test.step('Delete closes, and the focus goes back to what had opened the window', async () => {
      await expect(title).toBeFocused();
      await keys.press('Delete');
      await expect(list).toBeHidden();
      await expect(page.getByRole('button', { name: /^Otrzymane/ })).toBeFocused();
    });
  },
);

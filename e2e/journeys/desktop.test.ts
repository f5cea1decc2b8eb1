import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forScreen, notDue } from '../due.ts';
import { cutOff, sidewaysPx, spaceOutText } from '../fit.ts';
import { listen } from '../hearing.ts';
import { createKeyboard } from '../keyboard.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const name = 'Umowa kredytu KH-2026-04417';

const words = {
  PL: {
    received: /^dokumenty otrzymane$/i,
    tile: /^Otrzymane/,
    menu: /^menu okna/i,
    move: 'Przesuń',
    resize: 'Zmień rozmiar',
    moving: /^Przesuwanie/,
    resizing: /^Zmiana rozmiaru/,
    moved: /okno jest \d+ od lewej i\s\d+ od góry/,
    resized: /okno ma wymiary \d+ na \d+/,
    undone: 'Zmiana cofnięta',
    left: /lewa połowa$/,
    topLeft: /lewa górna ćwiartka$/,
    maximised: /okno zmaksymalizowane$/,
    restored: /okno przywrócone$/,
    tidied: /^Uporządkowano 2 okna/,
    untidied: 'Okna wróciły na swoje miejsca',
    closed: /okno zamknięte$/,
    tabs: 'Otwarte okna',
  },
  EN: {
    received: /^documents received$/i,
    tile: /^Received/,
    menu: /^window menu/i,
    move: 'Move',
    resize: 'Resize',
    moving: /^Moving/,
    resizing: /^Resizing/,
    moved: /window is \d+ from the left and \d+ from the top/,
    resized: /window is \d+ by \d+/,
    undone: 'Change undone',
    left: /left half$/,
    topLeft: /top left quarter$/,
    maximised: /window maximised$/,
    restored: /window restored$/,
    tidied: /^2 windows tidied/,
    untidied: 'The windows are back where they were',
    closed: /window closed$/,
    tabs: 'Open windows',
  },
} as const;

const windowNamed = (page: Page, title: string | RegExp): Locator => page.getByRole('region', { name: title }).first();
const titleOf = (window: Locator): Locator => window.getByRole('heading', { level: 2 }).first();
const rectOf = async (window: Locator) => (await window.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

/** A client with a document, on their desk. */
const arrives = async (page: Page, language: 'PL' | 'EN' = 'PL') => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const person = await createPerson();
  await publish(await aPaper(1), { cif: person.cif, name: `${name}.pdf`, meta: { REG_DATE: '2026-11-18' } });
  const client = createClient(page, language);
  await client.startsAtTheDesk(person);
  return { client, person };
};

for (const language of ['PL', 'EN'] as const) {
  const said = words[language];
  test(
    `every window operation by keys alone, and each says what it did (${language})`,
    // By day `keyboard` goes the whole path, and the tests of `web/src/desktop` each operation.
    { tag: forScreen('desktop', 'at night') },
    async ({ page }) => {
      await arrives(page, language);
      const looking = await watch(page);
      const keys = createKeyboard(page);
      const { hears } = await listen(page);
      const hint = (text: RegExp) => page.getByRole('application', { name: text });
      const list = windowNamed(page, said.received);
      const title = titleOf(list);

      await test.step('a tile opens a window, and its row another', async () => {
        await page.getByRole('button', { name: said.tile }).focus();
        await keys.press('Enter');
        await expect(title).toBeFocused();
        await keys.tabsTo(list.getByRole('link', { name }));
        await keys.press('Enter');
        await expect(titleOf(windowNamed(page, name))).toBeFocused();
      });

      await test.step('F6 and Shift+F6 go from window to window, and raise it', async () => {
        await keys.press('Shift+F6');
        await expect(title).toBeFocused();
        await keys.seesTheFocus();
        await expect(page.getByRole('navigation', { name: said.tabs }).getByRole('button', { name: said.received })).toHaveAttribute(
          'aria-current',
          'true',
        );
      });

      const openMenu = async (entry: string) => {
        await keys.press('Shift+F10');
        const item = page.getByRole('menuitem', { name: entry });
        await expect(page.getByRole('menuitem').first()).toBeFocused();
        await keys.type(entry);
        await expect(item).toBeFocused();
        await keys.press('Enter');
      };

      await test.step('the menu moves', async () => {
        const before = await rectOf(list);
        await openMenu(said.move);
        await expect(hint(said.moving)).toBeFocused();
        await keys.seesTheFocus();
        await keys.press('ArrowRight');
        await keys.press('Shift+ArrowDown');
        await keys.press('Enter');
        await hears(said.moved);
        await expect(title).toBeFocused();
        expect(await rectOf(list)).toEqual({ ...before, x: before.x + 20, y: before.y + 1 });
      });

      await test.step('the menu changes the size, and Escape takes it back', async () => {
        const before = await rectOf(list);
        await openMenu(said.resize);
        await expect(hint(said.resizing)).toBeFocused();
        await keys.press('ArrowLeft');
        await keys.press('Escape');
        await hears(said.undone);
        expect(await rectOf(list)).toEqual(before);
        await keys.press('s');
        await keys.press('ArrowLeft');
        await keys.press('ArrowUp');
        await keys.press('Enter');
        await hears(said.resized);
        expect(await rectOf(list)).toEqual({ ...before, width: before.width - 20, height: before.height - 20 });
      });

      await test.step('Shift and arrows go to a half, a quarter, full size and back', async () => {
        const before = await rectOf(list);
        await keys.press('Shift+ArrowLeft');
        await hears(said.left);
        await keys.press('Shift+ArrowUp');
        await hears(said.topLeft);
        await keys.press('Shift+ArrowUp');
        await hears(said.maximised);
        expect((await rectOf(list)).width).toBe(1440);
        await keys.press('Shift+ArrowDown');
        await hears(said.restored);
        await keys.press('Shift+ArrowDown');
        await keys.press('Shift+ArrowDown');
        await keys.press('Shift+ArrowDown');
        await expect.poll(() => rectOf(list)).toEqual(before);
      });

      await test.step('T tidies all windows, and puts them back', async () => {
        const before = await rectOf(list);
        await keys.press('t');
        await hears(said.tidied);
        const [left, right] = [await rectOf(list), await rectOf(windowNamed(page, name))];
        expect(left.x + left.width).toBeLessThan(right.x);
        await keys.press('t');
        await hears(said.untidied);
        await expect.poll(() => rectOf(list)).toEqual(before);
      });

      await test.step('Delete on a tab closes its window, and on a title, too', async () => {
        const tabs = page.getByRole('navigation', { name: said.tabs });
        // To the other window, then to its tab.
        await keys.press('F6');
        await keys.press('F6');
        await expect(tabs.getByRole('button', { name, exact: true })).toBeFocused();
        await keys.press('ArrowLeft');
        await expect(tabs.getByRole('button', { name: said.received })).toBeFocused();
        await keys.press('End');
        await keys.press('Delete');
        await expect(windowNamed(page, name)).toBeHidden();
        await hears(said.closed);
        await keys.press('Shift+F6');
        await expect(title).toBeFocused();
        await keys.press('Delete');
        await expect(list).toBeHidden();
        await expect(page.getByRole('button', { name: said.tile })).toBeFocused();
      });
      looking.nothingWentWrong();
    },
  );
}

test(
  'windows are where they were after a reload, and gone when the session has ended and after signing out',
  { tag: forScreen('desktop') },
  async ({ page }) => {
    const { client, person } = await arrives(page);
    await client.opensReceivedDocuments();
    const list = windowNamed(page, words.PL.received);
    await titleOf(list).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await client.chooses('show', name);
    await expect(titleOf(windowNamed(page, name))).toBeFocused();
    const before = [await rectOf(list), await rectOf(windowNamed(page, name))];
    const places = async () => [await rectOf(list), await rectOf(windowNamed(page, name))];

    await page.reload();
    await expect.poll(places).toEqual(before);

    await test.step('the session ends, and the same person signs in again in this tab', async () => {
      await page.context().clearCookies();
      await page.reload();
      // The tab has noticed, and says so where it leads.
      await expect(page).toHaveURL(/login-ex/);
      await client.signsIn(person);
      await expect(page.getByRole('button', { name: words.PL.tile })).toBeVisible();
      await expect(list).toBeHidden();
    });

    await test.step('what was kept is broken', async () => {
      await client.opensReceivedDocuments();
      // Away from the desk, which would keep its windows anew.
      await page.goto('/verify');
      await page.evaluate(() => {
        for (const key of Object.keys(sessionStorage)) if (key.includes('layout')) sessionStorage.setItem(key, '{"windows":[{"id":7');
      });
      const looking = await watch(page);
      await page.goto('/');
      await expect(page.getByRole('button', { name: words.PL.tile })).toBeVisible();
      await expect(list).toBeHidden();
      looking.nothingWentWrong();
    });

    await client.opensReceivedDocuments();
    await client.logsOut();
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('layout')))).toEqual([]);
  },
);

test('an address of a window that does not exist is answered calmly', { tag: [notDue.byDay] }, async ({ page }) => {
  const { client } = await arrives(page);
  for (const link of ['spy', 'statute', 'document:..%2Fsecret', 'received:']) {
    await page.goto(`/#open=${link}`);
    await expect(page.getByText('Nie znaleziono').first()).toBeVisible();
    await client.dismissesMessages();
    await expect(page.getByRole('button', { name: words.PL.tile })).toBeVisible();
  }
});

// `fit` sees the others by day.
for (const { what, size, spaced, time } of [
  { what: '320 px', size: { width: 320, height: 640 }, spaced: false, time: 'at night' },
  { what: '200 %', size: { width: 720, height: 450 }, spaced: false, time: 'always' },
  { what: 'wide text spacing', size: { width: 1440, height: 900 }, spaced: true, time: 'at night' },
  { what: 'wide text spacing on a phone', size: { width: 390, height: 844 }, spaced: true, time: 'always' },
] as const) {
  test(`at ${what} nothing is cut off and nothing scrolls sideways`, { tag: forScreen('desktop', time) }, async ({ page }) => {
    const { client } = await arrives(page);
    await page.setViewportSize(size);
    if (spaced) await spaceOutText(page);
    const look = async (where: string) => {
      expect(await sidewaysPx(page), where).toBeLessThanOrEqual(0);
      expect(await cutOff(page), where).toEqual([]);
    };
    await look('the desk');
    await client.opensReceivedDocuments();
    await expect(client.rowOf(name)).toBeVisible();
    await look('a list');
    const window = windowNamed(page, words.PL.received);
    await window.getByRole('button', { name: words.PL.menu }).click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await look('the menu of a window');
    await page.keyboard.press('Escape');
    if (size.width >= 870) return;
    await window.getByRole('button', { name: words.PL.menu }).click();
    await page.getByRole('menuitem', { name: 'Pokaż pulpit' }).click();
    await page.getByRole('button', { name: 'Otwórz menu' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: /^Zamknij: dokumenty/i })).toBeVisible();
    await look('the drawer with its windows');
  });
}

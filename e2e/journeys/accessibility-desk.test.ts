import { expect, type Locator, type Page } from '@playwright/test';
import { sessionLimits } from '@pergamin/contract';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { isNight } from '../due.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const named = {
  statute: /^(regulamin|terms)/i,
  bell: /^(powiadomienia|notifications)/i,
  clearAll: /wyczyść wszystko|clear all/i,
  noNews: /brak powiadomień|no notifications/i,
  account: /^(konto użytkownika|account)$/i,
  changePassword: /zmień hasło|change password/i,
  resetPassword: /zresetuj hasło|reset password/i,
  cancel: /^(anuluj|cancel)$/i,
  whatsNew: /co nowego|what's new/i,
  noData: /brak danych|no data/i,
  shortcuts: /skróty klawiszowe|keyboard shortcuts/i,
  palette: /szukaj wszędzie|search everything/i,
  nothingFound: /nic nie znaleziono|nothing found/i,
  received: /^(dokumenty otrzymane|documents received)$/i,
  ending: /^(koniec sesji|end of the session)$/i,
} as const;

/** Where a window can stand. By day only the last: what stands in it is the same everywhere. */
const places = [
  ['Shift+ArrowLeft', 'at the left half'],
  ['Shift+ArrowUp', 'at the top left quarter'],
  ['x', 'at full size'],
] as const;

const windowNamed = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name }).first();
const titleOf = (window: Locator): Locator => window.getByRole('heading', { level: 2 }).first();
const beforeTheEndMs = sessionLimits.idleMinutes * 60_000 - sessionLimits.warningBeforeEndMs + 10_000;

forEverybody(
  'everything that the desk itself shows is for everybody',
  async ({ page, language, phone }) => {
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson({ email: 'ewa.probna@poczta.example' });
    const name = 'Umowa kredytu KH-2026-04417';
    await publish(await aPaper(1), { cif: person.cif, name: `${name}.pdf`, meta: { REG_DATE: '2026-11-18' } });
    const toTheDesk = async (): Promise<void> => (phone ? client.goesBackToTheDesk() : undefined);

    await client.signsIn(person);
    await expect(windowNamed(page, named.statute).getByRole('img').first()).toBeVisible();
    await looking.screenIsAccessible('the statute');
    await client.readsAndAcceptsTheStatute();
    await expect(page.getByRole('main').getByRole('button', { name: new RegExp(name) })).toBeVisible();
    await looking.screenIsAccessible('the desk without windows');

    const bell = page.getByRole('button', { name: named.bell });
    const news = page.getByRole('dialog', { name: named.bell });
    await bell.click();
    await expect(news.getByRole('button', { name: new RegExp(`^${name}`) })).toBeVisible();
    await looking.screenIsAccessible('a notification');
    await news.getByRole('button', { name: named.clearAll }).click();
    await expect(news.getByText(named.noNews)).toBeVisible();
    await looking.screenIsAccessible('no notifications');
    await page.keyboard.press('Escape');
    await expect(news).toBeHidden();

    for (const [entry, role] of [
      [named.changePassword, 'dialog'],
      // A question, which Escape does not answer.
      [named.resetPassword, 'alertdialog'],
      [named.shortcuts, 'dialog'],
    ] as const) {
      await client.choosesInTheAccountMenu(entry);
      const dialog = page.getByRole(role);
      await expect(dialog).toBeVisible();
      await looking.screenIsAccessible(`the ${role} of ${String(entry)}`);
      if (role === 'dialog') await page.keyboard.press('Escape');
      else await dialog.getByRole('button', { name: named.cancel }).click();
      await expect(dialog).toBeHidden();
    }

    await client.choosesInTheAccountMenu(named.account);
    await expect(windowNamed(page, named.account).getByText('ewa.probna@poczta.example')).toBeVisible();
    await looking.screenIsAccessible('the account');
    await client.choosesInTheAccountMenu(named.whatsNew);
    await expect(windowNamed(page, named.whatsNew).getByRole('heading', { level: 3 }).first()).toBeVisible();
    await looking.screenIsAccessible('what is new');
    await toTheDesk();

    const opensThePalette = async (): Promise<void> => {
      if (phone) {
        await client.opensTheMenu();
        await page.getByRole('button', { name: named.palette }).click();
      } else await page.keyboard.press('Control+k');
    };
    await opensThePalette();
    const palette = page.getByRole('combobox', { name: named.palette });
    await expect(palette).toBeFocused();
    await expect(page.getByRole('dialog', { name: named.palette })).toBeVisible();
    await expect(page.getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible();
    await looking.screenIsAccessible('the palette');
    await palette.fill('kredyt');
    await expect(page.getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible();
    await looking.screenIsAccessible('what the palette found');
    await palette.fill('nothing-at-all-is-called-so');
    await expect(page.getByText(named.nothingFound)).toBeVisible();
    await looking.screenIsAccessible('the palette with nothing');
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();

    await client.opensReceivedDocuments();
    const list = windowNamed(page, named.received);
    await expect(client.rowOf(name)).toBeVisible();
    if (phone) {
      await toTheDesk();
      await client.opensReceivedDocuments();
      await looking.screenIsAccessible('a window on a phone');
      await toTheDesk();
    } else {
      await looking.screenIsAccessible('three windows', { overlapping: true });
      for (const [key, place] of isNight ? places : places.slice(-1)) {
        await titleOf(list).focus();
        await page.keyboard.press(key);
        await looking.screenIsAccessible(`a window ${place}`, { overlapping: true });
      }
      await page.keyboard.press('x');
      await page.keyboard.press('m');
      await expect(page.getByRole('application')).toBeFocused();
      await looking.screenIsAccessible('a window that is being moved', { overlapping: true });
      await page.keyboard.press('Escape');
      await titleOf(list).focus();
      await page.keyboard.press('t');
      await looking.screenIsAccessible('three windows side by side');
    }

    await page.route('**/static/CHANGELOG.md*', (route) =>
      route.fulfill({ status: 404, json: { code: 'RESOURCE_NOT_FOUND', message: '' } }),
    );
    await page.goto('/#open=whats-new');
    await page.reload();
    await expect(windowNamed(page, named.whatsNew).getByRole('heading', { name: named.noData })).toBeVisible();
    await looking.screenIsAccessible('nothing new');

    await page.clock.install();
    await page.reload();
    await expect(windowNamed(page, named.whatsNew)).toBeVisible();
    // Any answer after the leap would set the clock of the page right again, and the bell asks by itself.
    await page.waitForLoadState('networkidle');
    await page.route('**/api/protected/**', () => undefined);
    await page.clock.fastForward(beforeTheEndMs);
    await expect(page.getByRole('region', { name: named.ending })).toBeVisible();
    await looking.screenIsAccessible('the end of the session');
  },
  { byDay: 'PL, light, desktop' },
);

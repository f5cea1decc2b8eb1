import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const named = {
  accountMenu: /menu użytkownika|account menu/i,
  documentsMenu: /^(dokumenty|documents)$/i,
  openMenu: /otwórz menu|open menu/i,
  selectLanguage: /wybierz język|select language/i,
  language: /(język|language)$/i,
  appearance: /wygląd|appearance/i,
  received: /dokumenty otrzymane|documents received/i,
  refresh: /odśwież|refresh/i,
  loading: /wczytywanie…|loading…/i,
  windowMenu: /menu okna|window menu/i,
  rowsPerPage: /wierszy na stronie|rows per page/i,
  moreActions: /(więcej działań|more actions):/i,
  details: /szczegóły dokumentu|document details/i,
  closeWindow: /^(zamknij:|close:|wstecz$|back$)/i,
} as const;

const refusals = [
  { of: '**/render/queue/result/*', status: 403, body: { code: 'SIGNATURE_INVALID', message: '' }, says: /błąd 403|error 403/i },
  { of: '**/render/queue/result/*', status: 404, body: { code: 'RESOURCE_NOT_FOUND', message: '' }, says: /nie znaleziono|not found/i },
  {
    of: '**/render/queue/result/*',
    status: 500,
    body: { code: 'INTERNAL_SERVER_ERROR', message: '' },
    says: /wyświetlić dokumentu|could not be displayed/i,
  },
  {
    of: '**/document/check/*',
    status: 200,
    // As a process of the version before answers.
    body: { status: 'SHA_NOT_EQUAL', checkedAt: null, ledger: null },
    says: /suma kontrolna dokumentu jest niezgodna|checksum does not match/i,
  },
] as const;

forEverybody(
  'menus, dialogs, two windows, nothing to show and every error are for everybody',
  async ({ page, language, phone }) => {
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson();
    const name = 'Umowa kredytu KH-2026-04417';
    const button = (of: RegExp, within: Page | Locator = page): Locator => within.getByRole('button', { name: of });
    const menuItem = (of: RegExp): Locator => page.getByRole('menuitem', { name: of });
    const opened = page.getByRole('region', { name }).first();

    /** Opens, looks, and goes back by Escape to what it was opened with. */
    const look = async (what: string, opener: Locator, shown: Locator): Promise<void> => {
      await opener.click();
      await expect(shown).toBeVisible();
      await looking.screenIsAccessible(what);
      await page.keyboard.press('Escape');
      await expect(shown).toBeHidden();
      // An opener in a menu has gone with it.
      if (await opener.isVisible()) await expect(opener).toBeFocused();
    };

    await client.startsAtTheDesk(person);

    await test.step('menus and dialogs', async () => {
      const menu = page.getByRole('menu');
      const dialog = page.getByRole('dialog');
      await look('the account menu', button(named.accountMenu), menu);
      if (phone) await look('the main menu', button(named.openMenu), dialog);
      else await look('the documents menu', button(named.documentsMenu), menu);
      await button(named.accountMenu).click();
      await look('the language dialog', menuItem(named.selectLanguage), dialog);
      await button(named.accountMenu).click();
      await menuItem(named.selectLanguage).click();
      await look('the languages', button(named.language, dialog), page.getByRole('listbox'));
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await button(named.accountMenu).click();
      await look('the appearance dialog', menuItem(named.appearance), dialog);
    });

    await test.step('a list that loads, has nothing, then something', async () => {
      const list = page.getByRole('region', { name: named.received });
      const answering = Promise.withResolvers<void>();
      await page.route('**/documents/list/data', async (route) => {
        await answering.promise;
        await route.continue();
      });
      // The desk has asked already, to count what is unread: a page that begins anew has nothing yet.
      await page.reload();
      await client.opensReceivedDocuments();
      await expect(list.getByText(named.loading)).toBeAttached();
      await looking.screenIsAccessible('the loading list');
      answering.resolve();
      await page.unrouteAll({ behavior: 'wait' });
      await expect(button(named.refresh, list)).toBeVisible();
      await looking.screenIsAccessible('the empty list');
      await publish(await aPaper(1), { cif: person.cif, name: `${name}.pdf`, meta: { REG_DATE: '2026-11-18' } });
      await button(named.refresh, list).click();
      await expect(client.rowOf(name)).toBeVisible();
      const menu = page.getByRole('menu');
      if (phone) await look('the menu of a row', button(named.moreActions, list), menu);
      else {
        await look('the window menu', button(named.windowMenu, list), menu);
        await look('the page sizes', button(named.rowsPerPage, list), page.getByRole('listbox'));
      }
    });

    await test.step('two windows', async () => {
      await client.chooses('show', name);
      await expect(opened.getByRole('img').first()).toBeVisible();
      await button(named.details, opened).click();
      await looking.screenIsAccessible(phone ? 'the details of a document' : 'two windows');
      await button(named.closeWindow, opened).click();
      await expect(opened).toBeHidden();
    });

    for (const { of, status, body, says } of refusals)
      await test.step(`a document that is refused with ${status}`, async () => {
        await page.route(of, (route) => route.fulfill({ status, json: body }));
        await client.chooses('show', name);
        await expect(opened.getByRole('alert')).toContainText(says);
        await looking.screenIsAccessible(`a document refused with ${status}`);
        await button(named.closeWindow, opened).click();
        await expect(opened).toBeHidden();
        await page.unroute(of);
      });

    await test.step('a list that cannot be loaded', async () => {
      await page.route('**/documents/list/data', (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL_SERVER_ERROR' } }));
      await page.reload();
      await expect(page.getByRole('region', { name: named.received }).getByRole('alert')).toBeVisible();
      await client.dismissesMessages();
      await looking.screenIsAccessible('the list that cannot be loaded');
    });
  },
  { byDay: 'PL, dark, phone' },
);

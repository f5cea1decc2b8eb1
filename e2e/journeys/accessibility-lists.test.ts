import { expect, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const named = {
  received: /^(dokumenty otrzymane|documents received)$/i,
  filters: /^(filtry|filters)/i,
  panel: /^(filtry i zapisane widoki|filters and saved views)$/i,
  calendar: /otwórz kalendarz|open the calendar/i,
  addView: /dodaj widok lub folder|add a view or a folder/i,
  columns: /^(kolumny|columns)$/i,
  export: /^(eksport|export)/i,
  select: /^(zaznacz|select):/i,
  selected: /^(zaznaczone wiersze|selected rows)$/i,
  clearSelection: /^(usuń zaznaczenie|clear the selection)$/i,
  moreActions: /więcej działań:|more actions:/i,
  search: /^(szukaj|search)/i,
  noData: /brak danych|no data/i,
} as const;

const windowOf = (page: Page, name: RegExp): Locator => page.getByRole('region', { name }).first();
const meta = { REG_DATE: '2026-11-18', PRIV_CASE_NUMBER: 'KH/2026/04417' };
const statement = {
  PERGAMIN_ST_DOC_TYPE: 'STATEMENTS',
  ST_DOC_TYPE: 'MONTHLY',
  ST_NUMBER: '11/2026',
  ST_DATE: '2026-11-18',
  ST_PERIOD_START: '2026-10-01',
  ST_PERIOD_END: '2026-10-31',
  ACCOUNT_NUMBER: 'PL61109010140000071219812874',
};
const furtherLists = [
  { tile: /^(wyciągi|statements)/i, title: /^(wyciągi|statements)/i },
  { tile: /^(publiczne|dokumenty publiczne|public)/i, title: /^(dokumenty publiczne|public documents)$/i },
] as const;

forEverybody(
  'every state of the lists is for everybody',
  async ({ page, language, phone }) => {
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson();
    const names = ['Umowa kredytu KH-2026-04417', 'Aneks do umowy KH-2026-04417'];
    const paper = await aPaper(1);
    for (const name of names) await publish(paper, { cif: person.cif, name: `${name}.pdf`, meta, uniqueName: `${person.cif} ${name}` });
    await publish(paper, { cif: person.cif, name: 'Wyciąg 11/2026.pdf', meta: statement, uniqueName: `${person.cif} 11` });
    await client.startsAtTheDesk(person);

    /** Opens, looks and closes again by Escape. */
    const look = async (what: string, opener: Locator, shown: Locator): Promise<void> => {
      await opener.click();
      await expect(shown).toBeVisible();
      await looking.screenIsAccessible(what);
      await page.keyboard.press('Escape');
      await expect(shown).toBeHidden();
    };
    const list = windowOf(page, named.received);
    const filters = list.getByRole('button', { name: named.filters });
    const panel = list.getByRole('complementary', { name: named.panel });
    const [name = ''] = names;

    await client.opensReceivedDocuments();
    await expect(client.rowOf(name)).toBeVisible();
    if ((await filters.getAttribute('aria-expanded')) === 'false') await filters.click();
    await expect(panel).toBeVisible();
    await looking.screenIsAccessible('the filters of a list');
    await look('the calendar', panel.getByRole('button', { name: named.calendar }).first(), page.getByRole('dialog'));
    await look('what can be added to the views', panel.getByRole('button', { name: named.addView }), page.getByRole('menu'));
    await filters.click();
    await expect(panel).toBeHidden();

    if (phone) {
      await list.getByRole('button', { name: named.search }).click();
      await expect(list.getByRole('searchbox')).toBeFocused();
      await looking.screenIsAccessible('the search of a list');
      await look('the menu of a row', list.getByRole('button', { name: named.moreActions }).first(), page.getByRole('menu'));
    } else {
      await looking.screenIsAccessible('a list without filters');
      await look('the columns', list.getByRole('button', { name: named.columns }), page.getByRole('dialog'));
      await look('the exports', list.getByRole('button', { name: named.export }), page.getByRole('menu'));
      await client.rowOf(name).getByRole('link').click({ button: 'right' });
      await expect(page.getByRole('menu')).toBeVisible();
      await looking.screenIsAccessible('the context menu of a row');
      await page.keyboard.press('Escape');
      await client.rowOf(name).getByRole('checkbox').check();
      await expect(list.getByRole('toolbar', { name: named.selected })).toBeVisible();
      await looking.screenIsAccessible('a selection');
      await list.getByRole('button', { name: named.clearSelection }).click();
    }
    await list.getByRole('searchbox').fill('nothing-at-all-is-called-so');
    await page.keyboard.press('Enter');
    await expect(list.getByText(named.noData).first()).toBeVisible();
    await looking.screenIsAccessible('a search that found nothing');

    for (const { tile, title } of furtherLists) {
      if (phone) await client.goesBackToTheDesk();
      await page.getByRole('main').getByRole('button', { name: tile }).first().click();
      const window = windowOf(page, title);
      await expect(window.getByRole('button', { name: named.filters }).first()).toBeVisible();
      await looking.screenIsAccessible(`the list ${String(title)}`, { overlapping: true });
    }
  },
  { byDay: 'EN, dark, desktop' },
);

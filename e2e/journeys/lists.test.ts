import { readFile } from 'node:fs/promises';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { byDayOn, forScreen } from '../due.ts';
import { aPaper, createPerson, publish, type Person } from '../publisher.ts';
import { watch } from '../watch.ts';

const isoDay = (monthsAgo: number): string => {
  const day = new Date();
  day.setUTCDate(1);
  day.setUTCMonth(day.getUTCMonth() - monthsAgo);
  return day.toISOString().slice(0, 10);
};
const accounts = { salary: 'PL61109010140000071219812874', savings: 'PL27114020040000300201355387' } as const;

const publishLetters = async (person: Person) => {
  const paper = await aPaper(1);
  const deliver = (name: string, meta: Record<string, string>) =>
    publish(paper, { cif: person.cif, name: `${name}.pdf`, uniqueName: `${person.cif} ${name}`, meta });
  const recent = await deliver('Aneks do umowy', { REG_DATE: isoDay(0), ACCOUNT_NUMBER: accounts.salary });
  const other = await deliver('Tabela opłat', { REG_DATE: isoDay(1), ACCOUNT_NUMBER: accounts.savings });
  const old = await deliver('Pismo sprzed lat', { REG_DATE: isoDay(30), ACCOUNT_NUMBER: accounts.salary });
  await deliver('Wyciąg nr 7', {
    REG_DATE: isoDay(1),
    ST_DATE: isoDay(1),
    ST_NUMBER: '7/2026',
    ACCOUNT_NUMBER: accounts.salary,
    PERGAMIN_ST_DOC_TYPE: 'STATEMENTS',
  });
  return { paper, recent, other, old };
};

const saved = async (page: Page, press: () => Promise<void>): Promise<{ bytes: Buffer; name: string }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { bytes: await readFile(await download.path()), name: download.suggestedFilename() };
};
const choose = async (field: Locator, option: string): Promise<void> => {
  await field.click();
  await field.page().getByRole('option', { name: option, exact: true }).click();
};

test(
  'a customer finds documents by period and account, keeps the view, and takes them along',
  { tag: forScreen('desktop') },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const looking = await watch(page);
    const client = createClient(page);
    const person = await createPerson();
    const { paper, recent, old } = await publishLetters(person);
    await client.startsAtTheDesk(person);
    // The list reaches back to what is new once the desk knows it.
    await expect(page.getByRole('button', { name: 'Otrzymane 3 nowe' })).toBeVisible();
    await page.getByRole('navigation').getByRole('button', { name: 'Dokumenty', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Dokumenty otrzymane' }).click();
    const list = page.getByRole('region', { name: 'Dokumenty otrzymane' });
    const button = (name: string): Locator => list.getByRole('button', { name, exact: true });
    const period = list.getByRole('button', { name: /Okres$/ });
    const viewName = 'Konto osobiste: pisma o opłatach i prowizjach od początku';

    await test.step('the usual period holds the last three months, statements excepted', async () => {
      // It begins with all that is new, however old.
      await expect(client.rowOf('Pismo sprzed lat')).toBeVisible();
      await choose(period, 'Ostatnie 3 miesiące');
      await button('Zastosuj').click();
      await expect(client.rowOf('Aneks do umowy')).toBeVisible();
      await expect(client.rowOf('Tabela opłat')).toBeVisible();
      await expect(client.rowOf('Pismo sprzed lat')).toBeHidden();
      await expect(client.rowOf('Wyciąg nr 7')).toBeHidden();
    });

    await test.step('a range outside the period is told at its place, and nothing is sent', async () => {
      await list.getByRole('textbox', { name: 'Data rejestracji: do' }).fill('01-01-2019');
      await button('Zastosuj').click();
      await expect(page.getByText('Wybrano nieprawidłową datę')).toBeVisible();
      await expect(list.getByText('Wybierz poprawną datę rejestracji dokumentu')).toBeVisible();
      await looking.screenIsAccessible('the filters with an error');
      await client.dismissesMessages();
      await button('Wyczyść').click();
    });

    await test.step('no period with a date finds what is old, of one account', async () => {
      await choose(period, 'Bez okresu');
      await list.getByRole('textbox', { name: 'Data rejestracji: od' }).fill('01-01-2019');
      await list.getByRole('textbox', { name: 'Numer rachunku' }).fill('PL61 1090');
      await button('Zastosuj').click();
      await expect(client.rowOf('Pismo sprzed lat')).toBeVisible();
      await expect(client.rowOf('Aneks do umowy')).toBeVisible();
      await expect(client.rowOf('Tabela opłat')).toBeHidden();
    });

    await test.step('the view is kept under a name, and brings all of it back', async () => {
      await button('Dodaj widok lub folder').click();
      await page.getByRole('menuitem', { name: 'Zapisz bieżący widok' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Nazwa' }).fill(viewName);
      await looking.screenIsAccessible('the dialog of a view');
      await page.getByRole('dialog').getByRole('button', { name: 'Zapisz', exact: true }).click();
      await expect(button(viewName)).toHaveAttribute('aria-current', 'true');
      await expect(button(`Więcej działań: ${viewName}`)).toBeInViewport({ ratio: 1 });
      await button('Wyczyść').click();
      await expect(client.rowOf('Tabela opłat')).toBeVisible();
      await button(viewName).click();
      await expect(client.rowOf('Tabela opłat')).toBeHidden();
      await expect(list.getByRole('textbox', { name: 'Numer rachunku' })).toHaveValue('PL61 1090');
    });

    await test.step('selected rows go into one archive with the published bytes, and count as downloaded', async () => {
      await client.seesUnread('Aneks do umowy');
      await list.getByRole('checkbox', { name: 'Zaznacz: Aneks do umowy' }).check();
      await list.getByRole('checkbox', { name: 'Zaznacz: Pismo sprzed lat' }).check();
      const bar = list.getByRole('toolbar');
      await expect(bar).toContainText('Zaznaczono 2 wiersze');
      const zip = await saved(page, () => bar.getByRole('button', { name: 'Pobierz ZIP' }).click());
      expect(zip.name).toMatch(/\.zip$/);
      expect(zip.bytes.includes(Buffer.from(paper))).toBe(true);
      expect(zip.bytes.includes('MANIFEST.sha256')).toBe(true);
      for (const { sha256 } of [recent, old]) expect(zip.bytes.includes(sha256)).toBe(true);
      await client.seesRead('Aneks do umowy');
      const csv = await saved(page, () => bar.getByRole('button', { name: 'Tabela CSV' }).click());
      expect(csv.bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
      expect(csv.bytes.toString()).toContain('Pismo sprzed lat.pdf');
    });
    looking.nothingWentWrong();
  },
);

test(
  'statements, public and sent documents are listed, narrowed and opened by keyboard alone',
  { tag: forScreen('desktop') },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const looking = await watch(page);
    const client = createClient(page);
    const person = await createPerson();
    await publishLetters(person);
    await client.startsAtTheDesk(person);
    // A tile keeps its name until the count of new documents is known.
    const menu = page.getByRole('navigation', { name: 'Menu główne' });
    await menu.getByRole('button', { name: 'Wyciągi', exact: true }).press('Enter');
    const list = page.getByRole('region', { name: 'Wyciągi' });
    await expect(client.rowOf('7/2026')).toBeVisible();
    await list.getByRole('button', { name: 'Filtry' }).press('Enter');
    await list.getByRole('textbox', { name: 'Numer wyciągu' }).press('8');
    await page.keyboard.press('Enter');
    await expect(list.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
    await looking.screenIsAccessible('statements that are not there');
    await list.getByRole('button', { name: 'Szukaj bez filtrów' }).press('Enter');
    const name = client.rowOf('7/2026').getByRole('link');
    await name.focus();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menuitem', { name: 'Pokaż' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Wyciąg nr 7' }).first()).toBeVisible();

    /** Finds nothing by a file name, and everything again, without a mouse. */
    const isNarrowed = async (one: Locator): Promise<void> => {
      const filters = one.getByRole('button', { name: /^Filtry/ });
      if ((await filters.getAttribute('aria-expanded')) === 'false') await filters.press('Enter');
      await one.getByRole('textbox', { name: 'Nazwa pliku' }).press('q');
      await page.keyboard.type('qq');
      await page.keyboard.press('Enter');
      await expect(one.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
      await one.getByRole('button', { name: 'Szukaj bez filtrów' }).press('Enter');
    };
    const documents = menu.getByRole('button', { name: 'Dokumenty', exact: true });

    await test.step('so are public documents', async () => {
      await menu.getByRole('button', { name: 'Dokumenty publiczne', exact: true }).press('Enter');
      const publics = page.getByRole('region', { name: 'Dokumenty publiczne' }).first();
      await isNarrowed(publics);
      const link = publics.getByRole('row').nth(1).getByRole('link');
      await link.focus();
      await page.keyboard.press('Shift+F10');
      await expect(page.getByRole('menuitem', { name: 'Pokaż' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(link).toBeFocused();
    });

    await test.step('and what was sent', async () => {
      await documents.press('Enter');
      await page.getByRole('menuitem', { name: 'Dokumenty wysłane' }).press('Enter');
      const sent = page.getByRole('region', { name: 'Dokumenty wysłane' }).first();
      await isNarrowed(sent);
      await sent.getByRole('button', { name: 'Wyślij dokumenty' }).first().press('Enter');
      await expect(page.getByRole('region', { name: /wyślij dokumenty|wysyłanie/i }).first()).toBeVisible();
    });
    looking.nothingWentWrong();
  },
);

test('anybody reads, checks and takes public documents without signing in', { tag: byDayOn('phone') }, async ({ page, isMobile }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const looking = await watch(page);
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Dokumenty publiczne' })).toBeVisible();
  const rows = isMobile ? page.getByRole('list', { name: 'Dokumenty publiczne' }).getByRole('listitem') : page.getByRole('row');
  const row = isMobile ? rows.first() : rows.nth(1);
  await expect(row).toBeVisible();
  const act = async (name: RegExp): Promise<void> => {
    if (isMobile) {
      await row.getByRole('button').last().click();
      await page.getByRole('menuitem', { name }).click();
    } else await row.getByRole('button', { name }).click();
  };
  const taken = await saved(page, () => act(/^Pobierz/));
  expect(taken.name).toMatch(/\.pdf$/);
  expect(taken.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  await act(/^Sprawdź/);
  await expect(page.getByText('Dokument został pomyślnie zweryfikowany')).toBeVisible();
  await page.getByRole('button', { name: /zamknij.*komunikat/i }).click();

  await act(/^Pokaż/);
  const preview = page.getByRole('region', { name: 'Strony dokumentu' });
  await expect(preview.getByRole('group', { name: /^Strona 1 z/ })).toContainText(/\p{L}{4}/u);
  await expect(page).toHaveURL(/\/public\/[0-9a-f-]{36}$/);
  const same = await saved(page, () => page.getByRole('button', { name: 'Pobierz', exact: true }).click());
  expect(same.bytes.equals(taken.bytes)).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await expect(row).toBeVisible();

  await page.getByRole('button', { name: /^Filtry/ }).click();
  await page.getByRole('textbox', { name: 'Nazwa pliku' }).fill('Nie ma takiej nazwy');
  await page.getByRole('button', { name: 'Zastosuj' }).click();
  await expect(page.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
  looking.nothingWentWrong();
});

test('on a phone the list is searched, filtered and opened by a thumb', { tag: forScreen('phone') }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const looking = await watch(page);
  const client = createClient(page);
  const person = await createPerson();
  await publishLetters(person);
  await client.startsAtTheDesk(person);
  await client.opensReceivedDocuments();
  await expect(client.rowOf('Aneks do umowy')).toBeVisible();
  await looking.screenIsAccessible('the list on a phone');
  const filters = page.getByRole('button', { name: /^Filtry/ });
  await filters.click();
  await looking.screenIsAccessible('the filters on a phone');
  await page.getByRole('textbox', { name: 'Numer rachunku' }).fill('PL27 1140');
  await page.getByRole('button', { name: 'Zastosuj' }).click();
  await expect(client.rowOf('Tabela opłat')).toBeVisible();
  await expect(client.rowOf('Aneks do umowy')).toBeHidden();
  await client.chooses('show', 'Tabela opłat');
  await expect(page.getByRole('region', { name: 'Tabela opłat' }).first()).toBeVisible();
  looking.nothingWentWrong();
});

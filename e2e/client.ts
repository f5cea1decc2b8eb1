import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { windowLimits } from '@pergamin/contract';
import { arriveSignedIn } from './arrival.ts';
import type { Person } from './publisher.ts';
import { keepSecretsOf } from './secrets.ts';

const { mobileBelowPx } = windowLimits;

type Language = 'PL' | 'EN';

/** What the customer reads on the screen, by language. */
const words = {
  PL: {
    id: 'Wpisz swój identyfikator',
    signIn: 'Zaloguj się',
    password: 'Hasło',
    statute: /^regulamin/i,
    accept: /akceptuję/i,
    accepted: 'Regulamin został zaakceptowany',
    received: /otrzymane/i,
    receivedWindow: /dokumenty otrzymane/i,
    show: /^pokaż/i,
    download: /^pobierz/i,
    check: /^sprawdź/i,
    done: /^gotowe/i,
    close: /^zamknij$/i,
    nextPage: /następna strona/i,
    markedRead: 'Dokument został oznaczony jako przeczytany',
    verified: /dokument został pomyślnie zweryfikowany/i,
    unread: /nieprzeczytany/i,
    accountMenu: /(Ewa|Ada) Próbna|Anna Nowak/,
    logout: /wyloguj się/i,
    back: /^wstecz$/i,
    openMenu: 'Otwórz menu',
    menu: 'Menu główne',
    dismiss: /zamknij.*komunikat/i,
  },
  EN: {
    id: 'Enter Your ID',
    signIn: 'Sign in',
    password: 'Password',
    statute: /^terms/i,
    accept: /accept/i,
    accepted: 'The terms have been accepted',
    received: /received/i,
    receivedWindow: /documents received/i,
    show: /^show/i,
    download: /^download/i,
    check: /^check/i,
    done: /^done/i,
    close: /^close$/i,
    nextPage: /next page/i,
    markedRead: 'The document has been marked as read',
    verified: /the document was correctly verified/i,
    unread: /unread/i,
    accountMenu: /(Ewa|Ada) Próbna|Anna Nowak/,
    logout: /logout/i,
    back: /^back$/i,
    openMenu: 'Open menu',
    menu: 'Main menu',
    dismiss: /close this message/i,
  },
} as const;

const areDrawnInView = (window: Locator): Promise<boolean> =>
  window.getByRole('group', { name: /^(strona|page) \d/i }).evaluateAll((sheets) =>
    sheets
      .filter((sheet) => {
        const { top, bottom } = sheet.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      })
      .every((sheet) => sheet.querySelector('img')?.complete === true),
  );

/** PageDown after PageDown until it is at the end. A page that is passed before its picture is there would not have been read. */
export const readOn = async (window: Locator, isAtTheEnd: (timeout: number) => Promise<void>): Promise<void> =>
  expect(async () => {
    await expect.poll(() => areDrawnInView(window)).toBe(true);
    await window.page().keyboard.press('PageDown');
    await isAtTheEnd(100);
  }).toPass({ timeout: 90_000, intervals: [20] });

/**
 * Where another button has just been pressed (Back, the cross of a message), a press is taken for the second of a double press, and a customer
 * presses again.
 */
const pressUntilShown = (button: Locator, shown: Locator): Promise<void> =>
  expect(async () => {
    if (await shown.isVisible()) return;
    await button.click();
    await expect(shown).toBeVisible({ timeout: 5_000 });
  }).toPass();

/** A customer at a browser: what they do, in words, by roles and labels only. */
export const createClient = (page: Page, language: Language = 'PL') => {
  keepSecretsOf(page.context());
  const said = words[language];
  const main = (): Locator => page.getByRole('main');
  /** Parts of a document's window bear its name too. */
  const windowNamed = (name: string | RegExp): Locator => page.getByRole('region', { name }).first();
  const rowOf = (document: string): Locator =>
    page.getByRole((page.viewportSize()?.width ?? 0) < mobileBelowPx ? 'listitem' : 'row').filter({ hasText: document });

  return {
    async opensTheSignInPage() {
      await page.goto('/login-ex');
      if (language === 'EN') await page.getByRole('button', { name: 'English' }).click();
      await expect(page.getByLabel(said.id)).toBeVisible();
    },

    async entersTheirId(personalId: string) {
      await expect(page.getByRole('button', { name: said.signIn, exact: true })).toBeDisabled();
      await page.getByLabel(said.id).fill(personalId);
      await page.getByRole('button', { name: said.signIn, exact: true }).click();
      await page.waitForURL(/\/identity\//);
    },

    async entersTheirPassword(password: string) {
      await page.getByLabel(said.password, { exact: true }).fill(password);
      await page.getByRole('button', { name: said.signIn, exact: true }).click();
    },

    async signsIn(person: Person) {
      await this.opensTheSignInPage();
      await this.entersTheirId(person.personalId);
      await this.entersTheirPassword(person.password);
    },

    /** For journeys that are not about signing in: with a session and the terms accepted before the first page is shown. */
    async startsAtTheDesk(person: Person) {
      await arriveSignedIn(page, { person, language });
      await page.goto('/');
      await expect(main().getByRole('button', { name: said.received }).first()).toBeVisible();
    },

    async readsAndAcceptsTheStatute({ isNewHere = false } = {}) {
      // What is explained to each browser once is for a journey of its own.
      if (!isNewHere) await page.context().addCookies([{ name: 'explained', value: 'seal', url: new URL('/', page.url()).href }]);
      const statute = windowNamed(said.statute);
      await expect(statute).toBeVisible();
      const accept = statute.getByRole('button', { name: said.accept });
      await expect(accept).toHaveAttribute('aria-disabled', 'true');
      await this.reachesEveryPageOf(statute, accept);
      await accept.click();
      await expect(page.getByText(said.accepted)).toBeVisible();
      await expect(statute).toBeHidden();
      await this.dismissesMessages();
    },

    /** Scrolls on until the button at the end can be pressed, as a reader does. */
    async reachesEveryPageOf(window: Locator, end: Locator) {
      await expect(window.getByRole('img').first()).toBeVisible();
      await window.getByRole('region').first().focus();
      await readOn(window, (timeout) => expect(end).not.toHaveAttribute('aria-disabled', 'true', { timeout }));
    },

    async opensReceivedDocuments() {
      await main().getByRole('button', { name: said.received }).first().click();
      await expect(windowNamed(said.receivedWindow)).toBeVisible();
    },

    rowOf,

    async seesUnread(document: string) {
      await expect(rowOf(document)).toContainText(said.unread);
    },

    async seesRead(document: string) {
      await expect(rowOf(document)).toBeVisible();
      await expect(rowOf(document)).not.toContainText(said.unread);
    },

    /** On a phone the row's actions are in its menu. */
    async chooses(action: 'show' | 'download' | 'check', document: string) {
      const row = rowOf(document);
      await expect(row).toBeVisible();
      const button = row.getByRole('button', { name: said[action] });
      if ((page.viewportSize()?.width ?? 0) >= mobileBelowPx) await button.click();
      else {
        await row.getByRole('button').last().click();
        await page.getByRole('menuitem', { name: said[action] }).click();
      }
    },

    async readsToTheEnd(document: string) {
      const window = windowNamed(document);
      await expect(window).toBeVisible();
      await expect(window.getByRole('button', { name: said.done })).toHaveAttribute('aria-disabled', 'true');
      const close = window.getByRole('button', { name: said.close });
      await expect(window.getByRole('img').first()).toBeVisible();
      await window.getByRole('region').first().focus();
      await readOn(window, (timeout) => expect(close).toBeVisible({ timeout }));
      await close.click();
      await expect(page.getByText(said.markedRead)).toBeVisible();
      await expect(window).toBeHidden();
      await this.dismissesMessages();
    },

    /** On a phone a message lies over the first row for a while. */
    async dismissesMessages() {
      const message = page.getByRole('button', { name: said.dismiss });
      while ((await message.count()) > 0) await message.first().click();
    },

    /** Answers the SHA-256 of what the browser saved. */
    async downloads(document: string): Promise<{ sha256: string; name: string }> {
      const waiting = page.waitForEvent('download');
      await this.chooses('download', document);
      const download = await waiting;
      const saved = await readFile(await download.path());
      return { sha256: createHash('sha256').update(saved).digest('hex'), name: download.suggestedFilename() };
    },

    async checks(document: string) {
      await this.chooses('check', document);
      await expect(page.getByText(said.verified)).toBeVisible();
      await this.dismissesMessages();
    },

    /** A phone's window fills the screen: the way to the menu is back. */
    async goesBackToTheDesk() {
      const back = page.getByRole('button', { name: said.back });
      for (let open = await back.count(); open > 0; open -= 1) {
        await back.last().click();
        await expect(back).toHaveCount(open - 1);
      }
    },

    /** On a phone. */
    opensTheMenu: () => pressUntilShown(page.getByRole('button', { name: said.openMenu }), page.getByRole('dialog', { name: said.menu })),

    async choosesInTheAccountMenu(entry: string | RegExp) {
      if ((page.viewportSize()?.width ?? 0) < mobileBelowPx) await this.goesBackToTheDesk();
      await pressUntilShown(page.getByRole('button', { name: said.accountMenu }), page.getByRole('menuitem', { name: entry }));
      await page.getByRole('menuitem', { name: entry }).click();
    },

    async logsOut() {
      await this.choosesInTheAccountMenu(said.logout);
      await expect(page.getByLabel(said.id)).toBeVisible();
    },
  };
};
